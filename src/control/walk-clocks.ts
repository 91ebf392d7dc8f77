import { EmulatorError } from '../domain/errors.ts'
import type { EpochMs } from '../domain/time.ts'
import type { Clock } from '../time/clock.ts'
import type { WalkEnd } from '../time/walk.ts'
import { LedgerWriter } from './ledger.ts'
import type { ControlParts } from './parts.ts'

/** Where clocks are to go. */
interface WalkRequest {
  /** Undefined for all. */
  readonly clientId: string | undefined
  readonly target: (now: EpochMs) => EpochMs
  /** At how many due moments it may stop; at all of them if left out. */
  readonly moments?: number
  /** Wall milliseconds. */
  readonly timeoutMs: number
  /** What is done to each clock as it gets there. */
  readonly atEnd?: (clock: Clock) => void
}

/** Moves the clock of a client, or all of them by the same amount, and answers the ledger of what happened.
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
  const timeout = end.timedOut ? { error: told('clock_timed_out', { timeoutMs }) } : {}
  return {
    ledger: { ...timeout, ...ledgerHead(places, request.clientId), ...lists, nextDueAt: earliest(places) },
    timedOut: end.timedOut,
  }
}

/** A client that was removed while all of them were gone through. */
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

/** For one client its times; for all of them a list, and the times as well where there is but one. */
function ledgerHead(places: readonly Place[], clientId: string | undefined): object {
  const [only, ...others] = places
  const times = only !== undefined && others.length === 0 ? { from: only.from, now: only.now } : {}
  return clientId === undefined ? { ...times, clients: places } : times
}

function earliest(places: readonly Place[]): EpochMs | null {
  const dues = places.map(({ nextDueAt }) => nextDueAt).filter((due) => due !== null)
  return dues.length === 0 ? null : Math.min(...dues)
}

/** An error that comes with a ledger. */
export function told(
  code: 'clock_timed_out' | 'never_idle',
  params: Readonly<Record<string, string>>,
): object {
  const { message } = new EmulatorError(code, params)
  return { code, message }
}

/** One client, or all. @throws client_unknown */
export function idsOf(clientId: string | undefined, { clients }: ControlParts): string[] {
  return clientId === undefined
    ? clients.all().map((client) => client.clientId)
    : [clients.get(clientId).clientId]
}
