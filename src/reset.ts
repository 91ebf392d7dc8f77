import type { Config } from './config.ts'
import type { Clients } from './lifecycle/clients.ts'
import type { CommonSettings } from './lifecycle/common-settings.ts'
import type { PutScenarios } from './lifecycle/put-scenarios.ts'
import type { Scheduler } from './time/scheduler.ts'

/** What goes back to the start: all worlds, or one client's. */
export interface ResetScope {
  readonly clientId?: string | undefined
  /** Clients stay as they are, with nothing in their worlds. */
  readonly keepClients: boolean
  /** Scenarios that came over the control API stay; those of one client's reset always do. */
  readonly keepScenarios: boolean
}

/** Back to the start. The demo client and the clients of the start's fixtures are there again afterwards.
 *  @throws client_unknown */
export async function reset(
  { clientId, keepClients, keepScenarios }: ResetScope,
  config: Config,
  parts: {
    clients: Clients
    scheduler: Scheduler
    commonSettings: CommonSettings
    putScenarios: PutScenarios
    /** Makes the clients that there are at a start. */
    begin: () => Promise<unknown>
  },
): Promise<void> {
  const { clients, commonSettings, scheduler, putScenarios, begin } = parts
  const removesClients = clientId === undefined && !keepClients
  const removesScenarios = clientId === undefined && !keepScenarios
  await clients.turns.take(async () => {
    // Refused before anything is done.
    if (clientId !== undefined) clients.get(clientId)
    await clients.worlds.reset({ clientId, clients: removesClients, scenarios: removesScenarios })
    if (removesScenarios) putScenarios.forgetAll()
    if (clientId === undefined) commonSettings.forget()
  })
  if (removesClients) {
    clients.newClocks.setDefaults({ ...config.clock, startTime: config.startTime })
    await begin()
  }
  const there = clientId === undefined ? clients.all() : [clients.get(clientId)]
  // A world that is back at its start keeps nothing back.
  if (!removesClients) await Promise.all(there.map((each) => clients.unblockWebhooks(each.clientId)))
  for (const each of there) scheduler.wake(each.clientId)
}
