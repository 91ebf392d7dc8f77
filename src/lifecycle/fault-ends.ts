import { EmulatorError } from '../domain/errors.ts'
import { endFor, type FaultCount, type FaultEnd, isUsedUp } from '../domain/fault/planned-fault.ts'
import type { FaultRequest } from '../domain/fault/planned-fault-text.ts'
import type { EpochMs } from '../domain/time.ts'
import type { StoredFault } from '../store/store.ts'
import type { Clients } from './clients.ts'

/** Whose clocks faults end on. */
export interface FaultClocks {
  readonly clients: Clients
  /** null: of the wall. Throws `client_unknown`. */
  readonly now: (clientId: string | null) => EpochMs
}

/** When a fault that is planned now will be over; null for only when it is used up. One of all clients ends on each
 *  one's clock; for a client that comes before its end on the wall it begins when that client does.
 *  @throws invalid_input if that has passed already */
export function faultEnd(
  { forMs, until }: Pick<FaultRequest, 'forMs' | 'until'>,
  clientId: string | null,
  { clients, now }: FaultClocks,
): FaultEnd | null {
  if (until !== null) {
    if (clientId !== null) refuseThePast(until, now(clientId))
    return { at: until, of: {}, wallAt: until }
  }
  if (forMs === null) return null
  const wallAt = now(null) + forMs
  if (clientId !== null) return { at: now(clientId) + forMs, of: {}, wallAt }
  const of = clients.all().map((each) => [each.clientId, now(each.clientId) + forMs])
  return { at: wallAt, of: Object.fromEntries(of), wallAt, forMs }
}

/** Whether a fault does nothing more: it is used up, or its time has passed: on every clock, if it is of all clients. */
export function isOver(
  { clientId, asked, ends, hits }: StoredFault & FaultCount,
  { clients, now }: FaultClocks,
): boolean {
  if (isUsedUp(asked, hits)) return true
  if (ends === null) return false
  const owners = clientId === null ? [null, ...clients.all()] : [clients.find(clientId)]
  return owners.every(
    (owner) => owner !== undefined && hasReached(now, owner, endFor(ends, owner) ?? Infinity),
  )
}

/** False for a client that is being replaced: for that moment it has no clock. */
function hasReached(
  now: FaultClocks['now'],
  owner: { readonly clientId: string } | null,
  moment: EpochMs,
): boolean {
  try {
    return now(owner?.clientId ?? null) >= moment
  } catch (error) {
    if (error instanceof EmulatorError && error.code === 'client_unknown') return false
    throw error
  }
}

function refuseThePast(until: EpochMs, now: EpochMs): void {
  if (until > now) return
  const [moment, reads] = [until, now].map((at) => new Date(at).toISOString())
  const problems = `until: ${moment} has passed; the client’s clock reads ${reads}`
  throw new EmulatorError('invalid_input', { problems })
}
