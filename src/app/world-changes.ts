import type { ControlParts } from '../control/parts.ts'
import type { LoadableWorld } from '../domain/fixture/world-document.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import type { Clients } from '../lifecycle/clients.ts'
import type { CommonSettings } from '../lifecycle/common-settings.ts'
import type { UploadedScenarios } from '../lifecycle/scenarios/uploaded.ts'
import type { Scheduler } from '../time/scheduler.ts'
import type { Config } from './config.ts'
import type { Engine } from './engine.ts'
import { readyForSnapshot, restoreSnapshot, TakenSnapshots, takeSnapshot } from './snapshots.ts'

/** Resets, snapshots and restores, one after the other: two at once would both create the demo client.
 *  @param isStopping true when the store is about to close and nothing may start */
export function worldChanges(
  config: Config,
  engine: Engine,
  isStopping: () => boolean,
): Pick<ControlParts, 'reset' | 'snapshot' | 'restore'> {
  const taken = new TakenSnapshots()
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(change: () => Promise<T>): Promise<T> => {
    const changed = turn.catch(() => undefined).then(change)
    turn = changed
    return changed
  }
  const unlessStopping = <T>(change: () => Promise<T>): Promise<T> =>
    inTurn(async () => {
      if (isStopping()) throw new EmulatorError('stopping')
      return change()
    })
  return {
    reset: (scope) =>
      unlessStopping(async () => {
        await reset(scope, config, engine)
        engine.feed.emit({ type: 'reset', clientId: scope.clientId })
      }),
    snapshot: (clientId) =>
      taken.take(async () => {
        await readyForSnapshot(clientId, engine)
        return unlessStopping(async () => {
          await engine.journal.flush().catch(engine.onError)
          return takeSnapshot(clientId, engine)
        })
      }),
    restore: (given, clientId) => unlessStopping(() => restored(given, clientId, engine)),
  }
}

async function restored(
  given: LoadableWorld,
  clientId: string | undefined,
  engine: Engine,
): Promise<readonly string[]> {
  const { feed, scheduler } = engine
  const clientIds = await restoreSnapshot(given, clientId, engine)
  feed.emit({ type: 'worlds', clientIds })
  const clocks = clientIds.map((each) => ({ clientId: each, clock: scheduler.clockState(each) }))
  feed.emit({ type: 'clocks', clocks })
  return clientIds
}

interface ResetScope {
  readonly clientId?: string | undefined
  /** Retains the clients and empties their sandboxes. */
  readonly keepClients: boolean
  /** Retains scenarios added over the control API. A reset of one client always retains them. */
  readonly keepScenarios: boolean
}

/** Resets to the state of a start, with the demo client and the clients of the start's fixtures.
 *  @throws client_unknown */
async function reset(
  { clientId, keepClients, keepScenarios }: ResetScope,
  config: Config,
  parts: {
    clients: Clients
    scheduler: Scheduler
    commonSettings: CommonSettings
    uploadedScenarios: UploadedScenarios
    makeInitialClients: () => Promise<unknown>
  },
): Promise<void> {
  const { clients, commonSettings, scheduler, uploadedScenarios, makeInitialClients } = parts
  const removesClients = clientId === undefined && !keepClients
  const removesScenarios = clientId === undefined && !keepScenarios
  await clients.turns.take(async () => {
    // Throws for an unknown client, before anything has changed.
    if (clientId !== undefined) clients.get(clientId)
    await clients.worlds.reset({ clientId, clients: removesClients, scenarios: removesScenarios })
    if (removesScenarios) uploadedScenarios.forgetAll()
    if (clientId === undefined) commonSettings.forget()
  })
  if (removesClients) {
    clients.newClocks.setDefaults({ ...config.clock, startTime: config.startTime })
    await makeInitialClients()
  }
  const there = clientId === undefined ? clients.all() : [clients.get(clientId)]
  // A reset also ends the client's holds and its pause.
  if (!removesClients) await Promise.all(there.map((each) => clients.unblockWebhooks(each.clientId)))
  for (const each of there) scheduler.wake(each.clientId)
}
