import type { EpochMs } from '../text/time.ts'
import type { Message } from './sequence.ts'

/** A message whose time on the wall clock is known. */
export interface Dated {
  readonly message: Message
  readonly wallAt: EpochMs
  /** Whether the message's time on the client's clock was computed with the wall clock, which runs differently. */
  readonly isEstimate?: boolean | undefined
  /** The earliest possible time on the client's clock. */
  readonly notBefore?: EpochMs | undefined
  /** Whether it is the call that created the order. */
  readonly creates?: boolean | undefined
  /** For an attempt: the change that its webhook reports. */
  readonly reports?: { readonly status: string; readonly at: EpochMs } | undefined
}

/** A change of the order, of which only the time on the client's clock is known. */
export interface Change {
  readonly message: Message
  /** Whether it is the creation of the order. */
  readonly creates: boolean
  /** The status that webhooks report; null if the status stays. */
  readonly status: string | null
}

/** Merges messages in order of the wall clock with the changes of the order, whose order stays. */
export function inOrder(dated: readonly Dated[], changes: readonly Change[]): Message[] {
  // Stable: in the same millisecond, a call stands before its answer.
  const merged: (Dated | Change)[] = corrected(dated.toSorted((a, b) => a.wallAt - b.wallAt))
  let from = 0
  for (const change of changes.toSorted((a, b) => a.message.at - b.message.at)) {
    const place = placeOf(change, merged, from)
    merged.splice(place, 0, change)
    from = place + 1
  }
  return merged.map(({ message }) => message)
}

/** Corrects estimated times: the client's clock may be paused, and never goes back. */
function corrected(dated: readonly Dated[]): Dated[] {
  let latest = Number.NEGATIVE_INFINITY
  return dated.map((one) => {
    const { message, isEstimate, notBefore = message.at } = one
    const at = isEstimate ? Math.max(message.at, latest, notBefore) : message.at
    latest = Math.max(latest, at)
    return { ...one, message: { ...message, at } }
  })
}

/** The index at which a change belongs: after the call that created the order, before the webhooks that report the
 *  change, else as the last of its time. */
function placeOf(
  { message: { at }, creates, status }: Change,
  merged: readonly (Dated | Change)[],
  from: number,
): number {
  const first = (matches: (one: Dated) => boolean) =>
    merged.findIndex((one, index) => index >= from && 'wallAt' in one && matches(one))
  const call = creates ? first((one) => one.creates === true) : -1
  if (call >= 0) return call + 1
  const webhook = first(({ reports }) => reports?.at === at && reports.status === status)
  const later = first((one) => one.message.at > at)
  const place = webhook >= 0 && (later < 0 || webhook < later) ? webhook : later
  return place < 0 ? merged.length : place
}

/** The number of equal exchanges in a row that are shown one by one. */
const fewExchanges = 3

/** Combines long rows of equal calls with equal answers, which polling produces. */
export function folded(messages: readonly Message[]): Message[] {
  const rows: Message[][] = []
  for (let index = 0; index < messages.length; index += 1) {
    const [call, answer] = messages.slice(index, index + 2)
    if (call === undefined) break
    const isExchange =
      call.about?.type === 'request' && answer?.kind === 'answer' && answer.about?.id === call.about.id
    if (!isExchange) {
      rows.push([call])
      continue
    }
    index += 1
    const [before, reply] = rows.at(-1) ?? []
    const isEqual = before?.text === call.text && reply?.text === answer.text && reply.more === answer.more
    if (isEqual) rows.at(-1)?.push(call, answer)
    else rows.push([call, answer])
  }
  return rows.flatMap((row) => {
    const count = row.length / 2
    if (count <= fewExchanges) return row
    return row.slice(0, 2).map((message) => ({
      ...message,
      count,
      text: message.kind === 'call' ? `${count} × ${message.text}` : message.text,
    }))
  })
}
