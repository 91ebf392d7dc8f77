import type { Generation } from '../domain/client/client.ts'
import type { WorldPart } from '../domain/fixture/world.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import type { ResetScope, Store } from '../store/store.ts'
import type { Scheduler } from '../time/scheduler.ts'
import type { ClientRegistry } from './tokens.ts'

/** Reads what the store has of something that is remembered here. The answer takes it up, at once. */
export type Load = () => Promise<() => void>

/** Ends worlds and begins new ones: resets, removals, fixtures, restored snapshots. The store does it in one commit, and
 *  what is remembered of the worlds follows in one step. In between, what is read may be new while everything here is still
 *  old: whoever decides something goes through `decide`. Called in the turn of changes of clients (`ClientTurns`). */
export class WorldLoader {
  readonly #store: Store
  readonly #scheduler: Scheduler
  readonly #registry: ClientRegistry
  readonly #onEmptied: (clientId: string | undefined) => void
  readonly #withoutLog: <T>(act: () => Promise<T>) => Promise<T>
  #underWay: Promise<void> | null = null

  constructor(around: {
    store: Store
    scheduler: Scheduler
    registry: ClientRegistry
    /** A world has been emptied, or all of them. */
    onEmptied: (clientId: string | undefined) => void
    /** Writes nothing to the request log meanwhile: what waits may belong to a world that ends. */
    withoutLog: <T>(act: () => Promise<T>) => Promise<T>
  }) {
    this.#store = around.store
    this.#scheduler = around.scheduler
    this.#registry = around.registry
    this.#onEmptied = around.onEmptied
    this.#withoutLog = around.withoutLog
  }

  /** Decides and writes something, again as long as its world ends meanwhile (`world_ended`). */
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

  /** Throws `world_ended` if the client's world is another one than when something was read, or is about to be. */
  async refuseEnded(clientId: string, generation: Generation): Promise<void> {
    if (this.#underWay !== null) await this.#underWay
    if (this.#scheduler.generation(clientId) !== generation) throw new EmulatorError('world_ended')
  }

  /** Empties worlds; the clocks of clients that stay go on. */
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

  /** Removes a client and its world. @throws client_unknown */
  remove(clientId: string): Promise<void> {
    return this.#exchange(async () => {
      await this.#store.deleteClient(clientId)
      return () => this.#forget(clientId)
    })
  }

  /** Loads worlds, all of them or nothing; those that are `replaced` give way.
   *  @param remembered what is remembered beside clients, and comes with the worlds
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

  /** Reads all clients and their tokens. Taking them up ends the worlds that are gone, and begins those that are new. */
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

  /** @param change changes the store; if it throws, nothing changes here. Answers what follows here */
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

/** Whether something was refused because the world that it was decided in has ended. */
export const hasEnded = (error: unknown): boolean =>
  error instanceof EmulatorError && error.code === 'world_ended'
