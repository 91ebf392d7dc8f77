import type { Config } from './config.ts'
import type { ControlParts } from './control/parts.ts'
import { EmulatorError } from './domain/errors.ts'
import type { GivenWorld } from './domain/fixture/world-document.ts'
import type { Engine } from './engine.ts'
import { reset } from './reset.ts'
import { readyForSnapshot, restoreSnapshot, takeSnapshot } from './snapshot.ts'
import { TakenSnapshots } from './taken-snapshots.ts'

/** What changes whole worlds. Resets and restores come one after the other: two at once would both make the demo
 *  client. A snapshot is taken between them.
 *  @param isStopping from then on none of them begins: the store is about to close */
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
        engine.feed.tell({ type: 'reset', clientId: scope.clientId })
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
  given: GivenWorld,
  clientId: string | undefined,
  engine: Engine,
): Promise<readonly string[]> {
  const { feed, scheduler } = engine
  const clientIds = await restoreSnapshot(given, clientId, engine)
  feed.tell({ type: 'worlds', clientIds })
  const clocks = clientIds.map((each) => ({ clientId: each, clock: scheduler.clockState(each) }))
  feed.tell({ type: 'clocks', clocks })
  return clientIds
}
