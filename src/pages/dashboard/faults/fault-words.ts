import type { z } from 'zod'
import type { fault } from '../../../control/shapes/fault.ts'

type Fault = z.output<typeof fault>

/** Describes the effect of a fault: `status 503, delay 3s`. */
export function effectWords({ effect }: Pick<Fault, 'effect'>): string {
  return Object.entries(effect)
    .map(([name, value]) => (value === true ? name : `${name} ${text(value)}`))
    .join(', ')
}

/** The target of a fault: `calls of orders with requestId r*`. */
export function targetWords({ on, where, when }: Pick<Fault, 'on' | 'where' | 'when'>): string {
  const things = on === 'delivery' ? 'webhooks' : `calls of ${[on].flat().join(', ')}`
  const conditions = Object.entries(where).map(([name, value]) => `${name} ${value}`)
  const stage = when === null ? '' : stages[when]
  return `${things}${conditions.length === 0 ? '' : ` with ${conditions.join(', ')}`}${stage}`
}

const stages = {
  unchecked: ', before any check',
  before: '',
  stored: ', after the order is stored',
} as const

/** Describes how often and how long a fault still applies. */
export function limitWords({ times, hits, skip, calls, probability, for: length, over }: Fault): string {
  if (over) return 'over'
  const left = times === null ? 'all' : times - hits === 1 ? 'once more' : `${times - hits} times more`
  const passes = skip - calls
  return [
    ...(passes > 0 ? [`after ${passes} without the fault`] : []),
    left,
    ...(probability === null ? [] : [`with probability ${probability}`]),
    ...(length === null ? [] : [`for ${length}`]),
  ].join(', ')
}

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
