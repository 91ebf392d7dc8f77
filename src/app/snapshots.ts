import type { ClockState } from '../domain/client/client.ts'
import type { WorldPart } from '../domain/fixture/world.ts'
import type { LoadableWorld } from '../domain/fixture/world-document.ts'
import { restored } from '../domain/fixture/world-json.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import type { Clients } from '../lifecycle/clients.ts'
import type { CommonSettings } from '../lifecycle/common-settings.ts'
import type { Lifecycle } from '../lifecycle/lifecycle.ts'
import { UploadedScenarios } from '../lifecycle/scenarios/uploaded.ts'
import type { Load } from '../lifecycle/world-loader.ts'
import type { Store } from '../store/store.ts'
import type { Scheduler } from '../time/scheduler.ts'
import { soon } from '../time/timers.ts'
import type { Outbox } from '../webhooks/outbox.ts'

/** Maximum pause between two reads of a snapshot. A slower reader loses the snapshot. */
const unreadMs = 30_000

type Snapshot = AsyncIterableIterator<WorldPart, undefined>

/** Serializes snapshots: the store saves changed rows while one is read, so the next waits. An unread snapshot is
 *  released after a time-out. */
export class TakenSnapshots {
  #turn: Promise<void> = Promise.resolve()

  /** Takes a snapshot once the one before was read or released. */
  async take(taking: () => Promise<Snapshot>): Promise<Snapshot> {
    const before = this.#turn
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#turn = promise
    await before
    try {
      return readOnce(await taking(), resolve)
    } catch (error) {
      resolve()
      throw error
    }
  }
}

/** @param over called when the snapshot has been read, cancelled or abandoned */
function readOnce(parts: Snapshot, over: () => void): Snapshot {
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    cancel()
    await parts.return?.()
    over()
  }
  const leftLying = () => soon(unreadMs, () => void close())
  let cancel = leftLying()
  return {
    next: async () => {
      if (!isOpen) throw new Error('this snapshot was not read in time; request it again')
      cancel()
      const part = await parts.next().catch(async (error: unknown) => {
        await close()
        throw error
      })
      if (part.done) await close()
      else cancel = leftLying()
      return part
    },
    return: async () => {
      await close()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/** How long a snapshot waits for running work. Work that still runs then counts as after a crash. */
const patienceMs = 2_000

interface Parts {
  readonly store: Store
  readonly clients: Clients
  readonly scheduler: Scheduler
  readonly lifecycle: Lifecycle
  readonly outbox: Outbox
}

/** Waits until no running work would be cut in two by a snapshot, or a time-out.
 *  @throws client_unknown */
export async function readyForSnapshot(
  clientId: string | undefined,
  { clients, lifecycle, outbox }: Parts,
): Promise<void> {
  const over = Promise.withResolvers<'over'>()
  const cancel = soon(patienceMs, () => over.resolve('over'))
  try {
    for (;;) {
      const busy = clientIdsMeant(clientId, clients).flatMap(
        (each) => lifecycle.busy(each) ?? outbox.busy(each) ?? [],
      )
      if (busy.length === 0 || (await Promise.race([...busy, over.promise])) === 'over') return
    }
  } finally {
    cancel()
  }
}

/** Takes a snapshot of all data, or of one client, with the present clocks.
 *  @throws client_unknown */
export function takeSnapshot(
  clientId: string | undefined,
  { store, clients, scheduler }: Parts,
): Promise<AsyncIterableIterator<WorldPart, undefined>> {
  // Taken in the queue of client changes, so that these clocks match the stored data.
  return clients.turns.take(async () => {
    const meant = clientIdsMeant(clientId, clients)
    const clocks = new Map(meant.map((each) => [each, scheduler.clockState(each)]))
    return withClocks(await store.snapshot(clientId), clocks)
  })
}

const clientIdsMeant = (clientId: string | undefined, clients: Clients): string[] =>
  (clientId === undefined ? clients.all() : [clients.get(clientId)]).map((client) => client.clientId)

/** Replaces the stored clocks, which date from their last move, by the present ones. */
async function* withClocks(
  parts: AsyncIterable<WorldPart>,
  clocks: ReadonlyMap<string, ClockState>,
): AsyncGenerator<WorldPart, undefined> {
  for await (const { clients, ...part } of parts) {
    if (clients === undefined) yield part
    else
      yield {
        ...part,
        clients: clients.map((client) => ({ ...client, clock: clocks.get(client.clientId) ?? client.clock })),
      }
  }
  return undefined
}

/** Restores a snapshot in place of all data, or one client of it in place of that client. All or nothing.
 *  @returns the restored clients
 *  @throws snapshot_invalid, snapshot_taken */
export async function restoreSnapshot(
  given: LoadableWorld,
  clientId: string | undefined,
  parts: {
    readonly clients: Clients
    readonly commonSettings: CommonSettings
    readonly wall: () => number
    readonly loaders: (seed?: string) => readonly Load[]
  },
): Promise<readonly string[]> {
  const { clients, commonSettings, wall, loaders } = parts
  refuseUnfit(given, clientId, commonSettings)
  const world = restored(given.parts(), wall())
  await clients.turns
    .take(() =>
      clients.worlds.load(
        world,
        clientId === undefined ? 'all' : [clientId],
        loaders(clientId === undefined ? given.common?.seed : undefined),
      ),
    )
    .catch((error: unknown) => {
      throw refusal(error, clientId)
    })
  return clientId === undefined ? given.clientIds : [clientId]
}

const takenCodes: readonly string[] = ['client_exists', 'order_exists', 'order_id_taken', 'snapshot_taken']

/** Explains a store error: something in the snapshot is another client's, or exists twice in it. */
function refusal(error: unknown, clientId: string | undefined): unknown {
  if (!(error instanceof EmulatorError && takenCodes.includes(error.code))) return error
  return clientId === undefined
    ? new EmulatorError('snapshot_invalid', { problem: error.message })
    : new EmulatorError('snapshot_taken', { clientId })
}

/** Checks a snapshot for conflicts that its JSON schema cannot express.
 *  @throws snapshot_invalid */
function refuseUnfit(
  { clientIds, common: once }: LoadableWorld,
  clientId: string | undefined,
  common: CommonSettings,
): void {
  const refuse = (problem: string) => new EmulatorError('snapshot_invalid', { problem })
  if (clientId !== undefined) {
    if (!clientIds.includes(clientId)) throw refuse(`it has no client "${clientId}"`)
    return
  }
  if (once === null) throw refuse('common: is missing')
  const [broken] = UploadedScenarios.problemsWith(once.scenarioTexts)
  if (broken !== undefined) throw refuse(`common.scenarioTexts: ${broken}`)
  const conflict = common.problemWith(once.settings)
  if (conflict !== undefined) throw refuse(`common.settings: ${conflict}`)
}
