import type { Generation } from '../domain/client/client.ts'
import type { WorldPart } from '../domain/fixture/world.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import type { ResetScope, Store } from '../store/store.ts'
import type { Scheduler } from '../time/scheduler.ts'
import type { ClientRegistry } from './tokens.ts'

/** Reads stored data for a cache in memory. The resolved function replaces the cache in one step. */
export type Load = () => Promise<() => void>

/** Replaces the data of whole clients: resets, removals, fixtures, restored snapshots. The store changes in one
 *  commit, and the caches in memory follow in one step. In between, reads may be new while the caches are old: every
 *  decision goes through `decide`. Called in the turn of client changes. */
export class WorldLoader {
  readonly #store: Store
  readonly #scheduler: Scheduler
  readonly #registry: ClientRegistry
  readonly #onEmptied: (clientId: string | undefined) => void
  readonly #withoutLog: <T>(act: () => Promise<T>) => Promise<T>
  #underWay: Promise<void> | null = null

  constructor(context: {
    store: Store
    scheduler: Scheduler
    registry: ClientRegistry
    /** Called after the data of a client, or of all clients, was removed. */
    onEmptied: (clientId: string | undefined) => void
    /** Pauses writing of the request log: waiting entries may belong to removed data. */
    withoutLog: <T>(act: () => Promise<T>) => Promise<T>
  }) {
    this.#store = context.store
    this.#scheduler = context.scheduler
    this.#registry = context.registry
    this.#onEmptied = context.onEmptied
    this.#withoutLog = context.withoutLog
  }

  /** Decides and writes, and repeats that if the client was reset during the act (`world_ended`). */
  async decide<T>(act: () => Promise<T>): Promise<T> {
    for (;;) {
      if (this.#underWay !== null) await this.#underWay
      try {
        return await act()
      } catch (error) {
        if (!hasEnded(error)) throw error
      }
    }
  }

  /** Throws `world_ended` if the client's generation is not the given one, or is about to change. */
  async refuseEnded(clientId: string, generation: Generation): Promise<void> {
    if (this.#underWay !== null) await this.#underWay
    if (this.#scheduler.generation(clientId) !== generation) throw new EmulatorError('world_ended')
  }

  /** Removes the data of clients; the clocks of remaining clients continue. */
  reset(scope: ResetScope): Promise<void> {
    return this.#exchange(async () => {
      const generations = await this.#store.reset(scope)
      return () => {
        if (scope.clientId === undefined) this.#onEmptied(undefined)
        for (const [clientId, generation] of generations) this.#emptied(clientId, generation)
        if (scope.clients && scope.clientId === undefined) this.#forgetAll()
      }
    })
  }

  /** Removes a client with its data.
   *  @throws client_unknown */
  remove(clientId: string): Promise<void> {
    return this.#exchange(async () => {
      await this.#store.deleteClient(clientId)
      return () => this.#forget(clientId)
    })
  }

  /** Loads the data of clients, all or nothing, in place of `replaced` ones.
   *  @param remembered loaders for other caches that change with the data
   *  @throws client_exists, order_exists, order_id_taken, snapshot_taken */
  load(
    world: AsyncIterable<WorldPart>,
    replaced: readonly string[] | 'all',
    remembered: readonly Load[],
  ): Promise<void> {
    return this.#exchange(async () => {
      await this.#store.load(world, replaced)
      const taken = await Promise.all([this.loadClients(), ...remembered.map((load) => load())])
      return () => {
        for (const take of taken) take()
      }
    })
  }

  /** Loads all clients and their tokens, ends the schedulers of missing clients, and starts those of new ones. */
  readonly loadClients: Load = async () => {
    const [kept, tokens] = await Promise.all([this.#store.clients(), this.#store.tokens()])
    return () => {
      const isThere = new Map(kept.map(({ client, generation }) => [client.clientId, generation]))
      const isOld = (clientId: string) => isThere.get(clientId) !== this.#scheduler.generation(clientId)
      for (const { clientId } of this.#registry.all()) if (isOld(clientId)) this.#forget(clientId)
      const come = kept.filter(({ client }) => isOld(client.clientId))
      const isNew = new Set(come.map(({ client }) => client.clientId))
      this.#registry.tokens.rememberIssued(tokens.filter(({ clientId }) => isNew.has(clientId)))
      for (const { client, generation, newestMoment } of come) {
        this.#registry.remember(client)
        this.#scheduler.add(client.clientId, client.clock, newestMoment, generation)
      }
    }
  }

  /** @param change changes the store, and resolves with a function that changes the caches; if it throws, nothing
   *    has changed */
  async #exchange(change: () => Promise<() => void>): Promise<void> {
    const over = Promise.withResolvers<void>()
    this.#underWay = over.promise
    try {
      await this.#withoutLog(async () => (await change())())
    } finally {
      this.#underWay = null
      over.resolve()
    }
  }

  #emptied(clientId: string, generation: Generation): void {
    this.#registry.emptied(clientId)
    this.#onEmptied(clientId)
    this.#scheduler.emptied(clientId, generation)
  }

  #forgetAll(): void {
    for (const { clientId } of this.#registry.all()) this.#forget(clientId)
  }

  #forget(clientId: string): void {
    this.#onEmptied(clientId)
    this.#registry.forget(clientId)
    void this.#scheduler.remove(clientId)
  }
}

/** Whether an act failed because the client was reset since it was decided. */
export const hasEnded = (error: unknown): boolean =>
  error instanceof EmulatorError && error.code === 'world_ended'
