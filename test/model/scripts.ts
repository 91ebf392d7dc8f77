import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** The built-in scenarios whose words the model knows. */
export const scriptIds = [
  'happy',
  'happy-instant',
  'happy-slow',
  'fail-9004',
  'fail-9005',
  'never-pays',
  'overnight',
  'expired-failed',
  'paid-then-failed',
  'unknown-status',
  'payer-decides',
  'refund-initiated',
  'refund-partial-twice',
  'refund-failed',
  'sub-trial-monthly',
  'sub-month3-fails',
  'sub-month-end',
  'sub-cancelled',
  'payout-ok',
  'payout-failed',
  'crypto-payin',
] as const
export type ScriptId = (typeof scriptIds)[number]

export type Kind = 'checkout' | 'subscription' | 'payout' | 'crypto-payin'

/** What a scenario does, as its file tells it. */
export interface Script {
  readonly id: ScriptId
  readonly serves: (kind: Kind) => boolean
  readonly trialDays: number
  /** What it says of `orders.expiry`; null for nothing. */
  readonly expiryMs: number | null
  /** What it says of `time.offset`; null for nothing. */
  readonly offsetMinutes: number | null
  readonly steps: readonly ScriptStep[]
  readonly charges: readonly ChargeLine[]
}

export interface ScriptStep {
  readonly when: ScriptTime
  readonly does: Deed
}

/** When a step comes due: with the payer's act, or so long after something. */
export type ScriptTime =
  | 'payer'
  | { readonly since: 'creation' | 'step before' | 'expiry' | 'second charge'; readonly ms: number }

export type Deed =
  | { readonly do: 'pay' }
  | { readonly do: 'order'; readonly status: string; readonly errorCode: string | null }
  | { readonly do: 'refund'; readonly percent: number }
  | { readonly do: 'refund error'; readonly errorCode: string }
  | { readonly do: 'cancel' }

/** What a line says of some charges. */
export interface ChargeLine {
  readonly from: number
  readonly to: number
  readonly status: string
  readonly errorCode: string | null
  /** It makes charges come; another line only says how one of them ends. */
  readonly every: boolean
}

/** How a charge ends; null if it does not come. The last line about it decides. */
export function endOfCharge({ charges }: Script, n: number): ChargeLine | null {
  const about = charges.filter(({ from, to }) => from <= n && n <= to)
  return about.some(({ every }) => every) ? (about.at(-1) ?? null) : null
}

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
  readonly for?: Kind
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

const folder = join(import.meta.dirname, '../../scenarios')
const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** What each scenario does and when, read from its file with other eyes than the emulator's. */
const scripts: ReadonlyMap<ScriptId, Script> = new Map(scriptIds.map((id) => [id, read(id)]))

export function scriptOf(id: ScriptId): Script {
  const script = scripts.get(id)
  if (script === undefined) throw new Error(`no scenario ${id}`)
  return script
}

/** @throws {Error} if the file has a word that the model does not know */
function read(id: ScriptId): Script {
  const file: File = parse(readFileSync(join(folder, `${id}.yaml`), 'utf8'))
  const words = [...Object.keys(file), ...file.timeline.flatMap(Object.keys)]
  const strange = words.filter((word) => ![...fileWords, ...lineWords].includes(word))
  if (strange.length > 0) throw new Error(`the model can't read ${strange} in ${id}`)
  const { settings } = file
  return {
    id,
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

function msOf(span = '0s'): number {
  return Number.parseInt(span, 10) * (unitMs[span.slice(-1)] ?? Number.NaN)
}

/** `-03:30`, in minutes. */
function minutesOf(offset: string): number {
  const [hours = '', minutes = ''] = offset.slice(1).split(':')
  return (offset.startsWith('-') ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}
