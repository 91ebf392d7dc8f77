import { EmulatorError } from './domain/errors.ts'
import type { Journal } from './journal/journal.ts'
import type { Clients } from './lifecycle/clients.ts'
import type { CommonSettings } from './lifecycle/common-settings.ts'
import type { Lifecycle } from './lifecycle/lifecycle.ts'
import { PutScenarios } from './lifecycle/put-scenarios.ts'
import type { GivenSnapshot, ReadSnapshot, TakenSnapshot } from './store/snapshot.ts'
import type { Store } from './store/store.ts'
import type { Scheduler } from './time/scheduler.ts'
import { soon } from './time/timers.ts'
import type { Outbox } from './webhooks/outbox.ts'

/** How long a snapshot waits for what is on its way. What still is then counts as after a crash. */
const patienceMs = 2_000

interface Parts {
  readonly store: Store
  readonly clients: Clients
  readonly scheduler: Scheduler
  readonly lifecycle: Lifecycle
  readonly outbox: Outbox
  readonly journal: Journal
  readonly onError: (error: unknown) => void
}

/** Waits until nothing that a snapshot would cut in two is on its way, or patience is over. @throws client_unknown */
export async function readyForSnapshot(clientId: string | undefined, parts: Parts): Promise<void> {
  await settled(() => clientIdsMeant(clientId, parts), parts)
}

/** Takes all that there is, or all of one client, with its clocks as they stand. @throws client_unknown */
export function takeSnapshot(clientId: string | undefined, parts: Parts): Promise<TakenSnapshot> {
  const { store, clients, scheduler } = parts
  // Whoever is making, replacing or removing a client has the turn: what stands here goes with what the store has.
  return clients.turns.take(() => {
    const clocks = clientIdsMeant(clientId, parts).map((each) => ({
      clientId: each,
      clock: scheduler.clockState(each),
    }))
    return store.snapshot(clientId, clocks)
  })
}

const clientIdsMeant = (clientId: string | undefined, { clients }: Parts): string[] =>
  (clientId === undefined ? clients.all() : [clients.get(clientId)]).map((client) => client.clientId)

/** Until nothing of some clients is on its way, or patience is over. */
async function settled(clientIds: () => readonly string[], { lifecycle, outbox }: Parts): Promise<void> {
  const over = Promise.withResolvers<'over'>()
  const cancel = soon(patienceMs, () => over.resolve('over'))
  try {
    for (;;) {
      const busy = clientIds().flatMap((each) => lifecycle.busy(each) ?? outbox.busy(each) ?? [])
      if (busy.length === 0 || (await Promise.race([...busy, over.promise])) === 'over') return
    }
  } finally {
    cancel()
  }
}

/** Puts a snapshot in place of all that there is, or one client of it in place of the client of that name. All or
 *  nothing; what is refused is refused before anything is touched.
 *  @returns whose worlds came
 *  @throws snapshot_invalid, snapshot_newer, snapshot_taken */
export async function restoreSnapshot(
  given: GivenSnapshot,
  clientId: string | undefined,
  parts: Parts & {
    commonSettings: CommonSettings
    wall: () => number
    /** Takes up anew what is remembered over the store beside clients: all of it, or what is one client's. */
    reload: (clientId: string | undefined, seed: string) => Promise<void>
  },
): Promise<readonly string[]> {
  const { store, clients, journal, wall, reload, onError } = parts
  const snapshot = await store.readSnapshot(given)
  try {
    refuseUnfit(snapshot, clientId, parts.commonSettings)
    // Entries that wait to be written belong to what goes.
    await journal.flush().catch(onError)
    await clients.worlds.restore(clientId, {
      rehearse: async () => {
        if (clientId !== undefined) await snapshot.rehearse(clientId)
      },
      write: () => snapshot.write(wall(), clientId),
      reload: (seed) => reload(clientId, seed),
    })
    return clientId === undefined ? snapshot.clientIds : [clientId]
  } finally {
    snapshot.close()
  }
}

/** What the store cannot see. @throws snapshot_invalid */
function refuseUnfit(snapshot: ReadSnapshot, clientId: string | undefined, common: CommonSettings): void {
  const refuse = (problem: string) => new EmulatorError('snapshot_invalid', { problem })
  if (clientId !== undefined) {
    if (!snapshot.clientIds.includes(clientId)) throw refuse(`it has no client "${clientId}"`)
    return
  }
  const [broken] = PutScenarios.problemsWith(snapshot.scenarioTexts)
  if (broken !== undefined) throw refuse(`tables.scenario_texts: ${broken}`)
  if (snapshot.commonSettings === null) throw refuse('tables.world: its row is missing')
  const conflict = common.problemWith(snapshot.commonSettings)
  if (conflict !== undefined) throw refuse(`tables.world: settings: ${conflict}`)
}
