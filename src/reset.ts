import type { HeldAnswers } from './api/faults/held-answers.ts'
import type { Config } from './config.ts'
import type { Journal } from './journal/journal.ts'
import type { Tallies } from './journal/tallies.ts'
import type { Clients } from './lifecycle/clients.ts'
import type { CommonSettings } from './lifecycle/common-settings.ts'
import type { FaultPlans } from './lifecycle/fault-plans.ts'
import type { PutScenarios } from './lifecycle/put-scenarios.ts'
import type { Store } from './store/store.ts'
import type { Scheduler } from './time/scheduler.ts'
import type { Outbox } from './webhooks/outbox.ts'

/** What goes back to the start: all worlds, or one client's. */
export interface ResetScope {
  readonly clientId?: string | undefined
  /** Clients stay as they are, with nothing in their worlds. */
  readonly keepClients: boolean
  /** Scenarios that came over the control API stay; those of one client's reset always do. */
  readonly keepScenarios: boolean
}

/** Back to the start. The demo client and the clients of the start's fixtures are there again afterwards. @throws client_unknown */
export async function reset(
  { clientId, keepClients, keepScenarios }: ResetScope,
  config: Config,
  parts: {
    store: Store
    clients: Clients
    journal: Journal
    scheduler: Scheduler
    outbox: Outbox
    commonSettings: CommonSettings
    putScenarios: PutScenarios
    held: HeldAnswers
    faultPlans: FaultPlans
    tallies: Tallies
    /** Makes the clients that there are at a start. */
    begin: () => Promise<unknown>
    onError: (error: unknown) => void
  },
): Promise<void> {
  const {
    store,
    clients,
    commonSettings,
    journal,
    scheduler,
    outbox,
    putScenarios,
    held,
    faultPlans,
    tallies,
    begin,
  } = parts
  if (clientId !== undefined) clients.get(clientId)
  const removesClients = clientId === undefined && !keepClients
  const removesScenarios = clientId === undefined && !keepScenarios
  await journal.flush().catch(parts.onError)
  await clients.exclusively(async () => {
    outbox.drop(clientId)
    held.giveUp(clientId)
    await store.reset({ clientId, clients: removesClients, scenarios: removesScenarios })
    faultPlans.forget(clientId)
    if (clientId === undefined) commonSettings.forget()
    if (removesScenarios) putScenarios.forgetAll()
    outbox.drop(clientId)
    journal.forget(clientId)
    clients.forgetTokens(clientId)
    if (!removesClients) return
    await clients.forgetAll()
    tallies.forget()
  })
  if (removesClients) {
    clients.setDefaults({ ...config.clock, startTime: config.startTime })
    await begin()
  }
  const emptied = clientId === undefined ? clients.all() : [clients.get(clientId)]
  // A world that is back at its start keeps nothing back.
  if (!removesClients) await Promise.all(emptied.map((each) => clients.unblockWebhooks(each.clientId)))
  for (const each of emptied) scheduler.wake(each.clientId)
}
