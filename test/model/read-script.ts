import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { ChargeLine, Deed, OrderKind, Script, ScriptTime } from './script.ts'

interface Line {
  readonly at?: string
  readonly after?: string
  readonly every?: 'interval'
  readonly from?: number
  readonly times?: number
  readonly charge?: number
  readonly pay?: 'completed'
  readonly order?: string
  readonly error?: string
  readonly refund?: string
  readonly refundError?: string
  readonly cancel?: true
}

interface File {
  readonly id: string
  readonly description: string
  readonly tests: string
  readonly for?: OrderKind
  readonly clock?: string
  readonly trial?: string
  readonly settings?: { readonly orders?: { expiry?: string }; readonly time?: { offset?: string } }
  readonly timeline: readonly Line[]
}

const fileWords = ['id', 'description', 'tests', 'for', 'clock', 'trial', 'settings', 'timeline']
const lineWords = [
  ...['at', 'after', 'every', 'from', 'times', 'charge'],
  ...['pay', 'order', 'error', 'refund', 'refundError', 'cancel'],
]

/** Reads a scenario's file, with other eyes than the emulator's.
 *  @throws {Error} if the file has a word that the model does not know */
export function readScript(path: string): Script {
  const file: File = parse(readFileSync(path, 'utf8'))
  const words = [...Object.keys(file), ...file.timeline.flatMap(Object.keys)]
  const strange = words.filter((word) => ![...fileWords, ...lineWords].includes(word))
  if (strange.length > 0) throw new Error(`the model can't read ${strange} in ${path}`)
  const { settings } = file
  return {
    id: file.id,
    serves: (kind) => file.for === undefined || file.for === kind,
    trialDays: file.trial === undefined ? 0 : msOf(file.trial) / msOf('1d'),
    expiryMs: settings?.orders?.expiry === undefined ? null : msOf(settings.orders.expiry),
    offsetMinutes: settings?.time?.offset === undefined ? null : minutesOf(settings.time.offset),
    steps: file.timeline.flatMap((line) =>
      isOfCharges(line) ? [] : [{ when: timeOf(line), does: deedOf(line) }],
    ),
    charges: file.timeline.filter(isOfCharges).map(chargeLine),
  }
}

function isOfCharges({ every, charge }: Line): boolean {
  return every !== undefined || charge !== undefined
}

function chargeLine({ every, from = 1, times = Infinity, charge, order, error }: Line): ChargeLine {
  const end = { status: String(order), errorCode: error ?? null, every: every !== undefined }
  return charge === undefined ? { from, to: from + times - 1, ...end } : { from: charge, to: charge, ...end }
}

function timeOf({ at = '', after }: Line): ScriptTime {
  if (after !== undefined) return { since: 'step before', ms: msOf(after) }
  if (at === 'payer') return at
  const [date = '', later] = at.split(' + ')
  if (date === 'expiry') return { since: 'expiry', ms: msOf(later) }
  if (date === 'interval') return { since: 'second charge', ms: msOf(later) }
  return { since: 'creation', ms: msOf(at) }
}

function deedOf({ pay, order, error, refund, refundError, cancel }: Line): Deed {
  if (pay !== undefined) return { do: 'pay' }
  if (order !== undefined) return { do: 'order', status: order, errorCode: error ?? null }
  if (refund !== undefined)
    return { do: 'refund', percent: refund === 'all' ? 100 : Number.parseInt(refund, 10) }
  if (refundError !== undefined) return { do: 'refund error', errorCode: refundError }
  if (cancel !== undefined) return { do: 'cancel' }
  throw new Error('a step does nothing')
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function msOf(span = '0s'): number {
  return Number.parseInt(span, 10) * (unitMs[span.slice(-1)] ?? Number.NaN)
}

/** `-03:30`, in minutes. */
function minutesOf(offset: string): number {
  const [hours = '', minutes = ''] = offset.slice(1).split(':')
  return (offset.startsWith('-') ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}
