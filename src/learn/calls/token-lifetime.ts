import type { Span } from '../elimination/eliminate.ts'
import type { Evidence, TokenCall } from '../evidence/evidence.ts'

/** A leaf of a JSON value, with the names on the way to it. */
export interface Leaf {
  readonly path: readonly string[]
  readonly value: unknown
}

function leavesOf(value: unknown, path: readonly string[] = []): Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }]
  return Object.entries(value).flatMap(([name, each]) => leavesOf(each, [...path, name]))
}

/** What a field of a token answer says about the lifetime of the token. */
type LifetimeField = 'seconds' | 'milliseconds' | 'end'

/** How a leaf of a token answer says the lifetime; null if it says none. */
export function lifetimeField({ path, value }: Leaf): LifetimeField | null {
  const name = path.at(-1) ?? ''
  if (
    path.some((each) => /refresh/i.test(each)) ||
    !/expir|ttl|lifetime|validuntil/i.test(name.replaceAll(/[-_]/g, ''))
  )
    return null
  if (typeof value === 'string' && isoTime.test(value)) return 'end'
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isInteger(number) || number <= 0) return null
  if (number > 1e9) return 'end'
  if (/minute|hour|day|min$/i.test(name)) return null
  return /(ms|millis|milliseconds)$/i.test(name) ? 'milliseconds' : 'seconds'
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** The lifetime in the answer of a token call, as spans of milliseconds. */
export function lifetimesIn(call: TokenCall, unit: string, { serviceAhead }: Evidence): Span[] {
  return leavesOf(call.output).flatMap((leaf): Span[] => {
    const kind = lifetimeField(leaf)
    if (kind === null) return []
    const name = leaf.path.join('.')
    const about = { source: call.source, unit, words: `\`${name}\` is ${JSON.stringify(leaf.value)}` }
    const number = Number(leaf.value)
    if (kind === 'seconds') return [{ ...about, from: number * 1000, to: number * 1000 + 999 }]
    if (kind === 'milliseconds') return [{ ...about, from: number, to: number }]
    const sent = call.at + serviceAhead(call.source)
    const { end, lost } = endOf(leaf.value)
    // The clocks of the capture and of the service disagree.
    if (end + lost <= sent) return []
    return [{ ...about, from: end - sent - (call.ms ?? 1000) - clockStep, to: end + lost - sent + clockStep }]
  })
}

/** A time in an answer, and the milliseconds that its form cuts off. */
function endOf(value: unknown): { end: number; lost: number } {
  if (typeof value === 'string' && isoTime.test(value))
    return { end: Date.parse(value), lost: /\.\d{3}/.test(value) ? 0 : 1000 }
  const number = Number(value)
  return number > 1e11 ? { end: number, lost: 0 } : { end: number * 1000, lost: 1000 }
}

const clockStep = 5
