import { EmulatorError } from '../domain/errors.ts'
import type { FaultEnd } from '../domain/fault/planned-fault.ts'
import type { FaultRequest } from '../domain/fault/planned-fault-text.ts'
import type { EpochMs } from '../domain/time.ts'
import type { Clients } from './clients.ts'

/** When a fault that is planned now will be over; null for only when it is used up. One of all clients ends on each
 *  one's clock; that of a client yet to come is taken to begin now.
 *  @throws invalid_input if that has passed already */
export function faultEnd(
  { forMs, until }: Pick<FaultRequest, 'forMs' | 'until'>,
  clientId: string | null,
  { clients, now }: { clients: Clients; now: (clientId: string | null) => EpochMs },
): FaultEnd | null {
  if (until !== null) {
    if (clientId !== null) refuseThePast(until, now(clientId))
    return { at: until, of: {}, wallAt: until }
  }
  if (forMs === null) return null
  const wallAt = now(null) + forMs
  if (clientId !== null) return { at: now(clientId) + forMs, of: {}, wallAt }
  const of = clients.all().map((each) => [each.clientId, now(each.clientId) + forMs])
  return { at: clients.startOfNewClocks() + forMs, of: Object.fromEntries(of), wallAt }
}

function refuseThePast(until: EpochMs, now: EpochMs): void {
  if (until > now) return
  const [moment, reads] = [until, now].map((at) => new Date(at).toISOString())
  const problems = `until: ${moment} has passed; the client’s clock reads ${reads}`
  throw new EmulatorError('invalid_input', { problems })
}
