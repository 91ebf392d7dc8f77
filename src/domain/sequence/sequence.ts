import { spanWords } from '../text/duration.ts'
import type { EpochMs } from '../text/time.ts'

/** The lanes of a sequence, from left to right, with their names. */
export const lanes = { application: 'Application', service: 'Service', webhook: 'Webhook URL' } as const
export type SequenceLane = keyof typeof lanes

export const tones = ['good', 'bad', 'waiting', 'other'] as const

/** One arrow of a sequence, or a note beside a lane. */
export interface Message {
  /** Unique within the sequence. */
  readonly id: string
  /** `note`: an event of the lane `from`, without an arrow. */
  readonly kind: 'call' | 'answer' | 'note'
  readonly from: SequenceLane
  readonly to: SequenceLane
  /** On the client's clock. An answer of the webhook URL has the time of its attempt. */
  readonly at: EpochMs
  /** One line without control characters. Writers escape and shorten it. */
  readonly text: string
  /** Further facts: why it was refused, which faults it had; empty for none. */
  readonly more: string
  readonly tone: (typeof tones)[number]
  /** Whether it did not arrive: cut, timed out, not connected. */
  readonly lost: boolean
  /** The number of equal exchanges in a row that it stands for. */
  readonly count: number
  /** The entry of the request log or the delivery that it shows; null for a note. */
  readonly about: { readonly type: 'request' | 'delivery'; readonly id: string } | null
}

/** What happened to an order, as arrows between lanes. */
export interface Sequence {
  readonly title: string
  /** In the order in which they happened. */
  readonly messages: readonly Message[]
  /** The number of older messages that are left out. */
  readonly left: number
}

/** Formats the time of each message since the first, where it differs from that of the message before; null
 *  elsewhere. */
export function timesOf({ messages }: Sequence): (string | null)[] {
  const start = messages[0]?.at ?? 0
  const times = messages.map(({ at }) => (at <= start ? '0 s' : `+${spanWords(rounded(at - start))}`))
  return times.map((time, index) => (time === times[index - 1] ? null : time))
}

/** Rounds to tenths of a second, so that a call and its answer have one time. */
const rounded = (ms: number): number => (ms < 1_000 ? ms : Math.round(ms / 100) * 100)

/** A message in one sentence: `Service to Webhook URL: webhook CREATED (connection refused), did not arrive`. */
export function messageWords({ kind, from, to, text, more, lost }: Message): string {
  const route = kind === 'note' ? lanes[from] : `${lanes[from]} to ${lanes[to]}`
  return `${route}: ${text}${more === '' ? '' : ` (${more})`}${lost ? ', did not arrive' : ''}`
}
