import { EmulatorError } from '../domain/text/errors.ts'
import type { EpochMs } from '../domain/text/time.ts'
import type { Feed, FeedEvent } from '../journal/feed.ts'
import type { Clock } from '../time/clock.ts'
import type { WalkEnd } from '../time/walk.ts'
import type { ControlParts } from './parts.ts'

interface Transition {
  readonly at: EpochMs
  readonly orderId: string
  readonly requestId: string
  readonly clientId: string
  readonly what: string
  readonly from: string
  readonly to: string
}

interface DeliveryLine {
  readonly at: EpochMs
  readonly deliveryId: string
  readonly requestId: string
  readonly orderStatus: string
  readonly attempt: number
  readonly outcome: string
  readonly status: number | null
}

/** Events during a walk of the clocks, sorted by time, requestId and order of commit. Two runs of a test give the
 *  same ledger. */
interface LedgerLists {
  readonly transitions: readonly Transition[]
  readonly deliveries: readonly DeliveryLine[]
  /** Number of events left out at the end of each list. */
  readonly truncated?: { readonly transitions: number; readonly deliveries: number }
}

/** Limit for each list in memory, because a subscription can be walked through a thousand years. */
const mostLines = 50_000

/** Collects the feed events of some clients from `begin` to `end`. */
export class LedgerWriter {
  readonly #clientIds: ReadonlySet<string>
  readonly #feed: Feed
  readonly #transitions: Transition[] = []
  readonly #deliveries: { line: DeliveryLine; place: readonly [string, number] }[] = []
  readonly #truncated = { transitions: 0, deliveries: 0 }
  #stop: (() => void) | undefined

  constructor(feed: Feed, clientIds: readonly string[]) {
    this.#feed = feed
    this.#clientIds = new Set(clientIds)
  }

  begin(): void {
    this.#stop = this.#feed.listen((event) => this.#write(event))
  }

  end(): LedgerLists {
    this.#stop?.()
    const deliveries = this.#deliveries.toSorted(
      (a, b) =>
        a.line.at - b.line.at ||
        compare(a.line.requestId, b.line.requestId) ||
        compare(a.place[0], b.place[0]) ||
        a.place[1] - b.place[1] ||
        // Copies with the same time are numbered in their ids, so a shorter id comes first.
        a.line.deliveryId.length - b.line.deliveryId.length ||
        compare(a.line.deliveryId, b.line.deliveryId) ||
        a.line.attempt - b.line.attempt,
    )
    return {
      // Commits of one order arrive in sequence, and the sort is stable.
      transitions: this.#transitions.toSorted((a, b) => a.at - b.at || compare(a.requestId, b.requestId)),
      deliveries: deliveries.map(({ line }) => line),
      ...(this.#truncated.transitions + this.#truncated.deliveries > 0 && { truncated: this.#truncated }),
    }
  }

  #write(event: FeedEvent): void {
    if (event.type === 'order' && this.#clientIds.has(event.decision.order.clientId)) {
      const { orderId, requestId, clientId } = event.decision.order
      for (const { at, what, from, to } of event.decision.history) {
        if (from === undefined || to === undefined) continue
        if (this.#transitions.length === mostLines) this.#truncated.transitions += 1
        else this.#transitions.push({ at, orderId, requestId, clientId, what, from, to })
      }
    }
    if (event.type === 'attempt' && this.#clientIds.has(event.delivery.clientId)) {
      const { id, requestId, orderStatus, attempt, orderId, sequence } = event.delivery
      const { outcome, status } = event.result
      const line = { at: event.at, deliveryId: id, requestId, orderStatus, attempt, outcome, status }
      if (this.#deliveries.length === mostLines) this.#truncated.deliveries += 1
      else this.#deliveries.push({ line, place: [orderId, sequence] })
    }
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

interface WalkRequest {
  /** The id of the client; undefined for all clients. */
  readonly clientId: string | undefined
  readonly target: (now: EpochMs) => EpochMs
  /** Maximum number of due times to stop at; unlimited if left out. */
  readonly moments?: number
  /** The timeout of the walk, in wall-clock milliseconds. */
  readonly timeoutMs: number
  /** Called with each clock that has reached its target. */
  readonly atEnd?: (clock: Clock) => void
}

/** Moves one clock, or all clocks by the same amount, and returns a ledger of the events.
 *  @throws client_unknown, clock_in_past, stopping */
export async function walkClocks(
  request: WalkRequest,
  parts: ControlParts,
): Promise<{ ledger: { readonly nextDueAt: EpochMs | null }; timedOut: boolean }> {
  const clientIds = idsOf(request.clientId, parts)
  const writer = new LedgerWriter(parts.feed, clientIds)
  let from: ReadonlyMap<string, EpochMs> = new Map(
    clientIds.map((id) => [id, parts.scheduler.now(id)] as const),
  )
  const onBegin = (begun: ReadonlyMap<string, EpochMs>) => {
    from = begun
    writer.begin()
  }
  let end: WalkEnd
  try {
    end = await parts.scheduler.advance({ ...request, clientIds, onBegin })
  } catch (error) {
    writer.end()
    throw error
  }
  const lists = writer.end()
  const places = await Promise.all(
    clientIds.map(async (clientId) => ({
      clientId,
      from: from.get(clientId) ?? 0,
      now: end.now.get(clientId) ?? 0,
      nextDueAt: await parts.scheduler.nextDue(clientId).catch(nullIfGone),
    })),
  )
  const timeoutMs = String(request.timeoutMs)
  const timeout = end.timedOut ? { error: errorField('clock_timed_out', { timeoutMs }) } : {}
  return {
    ledger: { ...timeout, ...ledgerHead(places, request.clientId), ...lists, nextDueAt: earliest(places) },
    timedOut: end.timedOut,
  }
}

/** Returns null for a client deleted during the call, and rethrows other errors. */
export function nullIfGone(error: unknown): null {
  if (error instanceof EmulatorError && error.code === 'client_unknown') return null
  throw error
}

interface Place {
  readonly clientId: string
  readonly from: EpochMs
  readonly now: EpochMs
  readonly nextDueAt: EpochMs | null
}

/** Start and end times for one client, or a list for all. A list with a single client also has the times at the top. */
function ledgerHead(places: readonly Place[], clientId: string | undefined): object {
  const [only, ...others] = places
  const times = only !== undefined && others.length === 0 ? { from: only.from, now: only.now } : {}
  return clientId === undefined ? { ...times, clients: places } : times
}

function earliest(places: readonly Place[]): EpochMs | null {
  const dues = places.map(({ nextDueAt }) => nextDueAt).filter((due) => due !== null)
  return dues.length === 0 ? null : Math.min(...dues)
}

/** Builds the `error` field of a ledger that ended early. */
export function errorField(
  code: 'clock_timed_out' | 'never_idle',
  params: Readonly<Record<string, string>>,
): object {
  const { message } = new EmulatorError(code, params)
  return { code, message }
}

/** Returns the ids of one client or of all clients.
 *  @throws client_unknown */
export function idsOf(clientId: string | undefined, { clients }: ControlParts): string[] {
  return clientId === undefined
    ? clients.all().map((client) => client.clientId)
    : [clients.get(clientId).clientId]
}
