import { EmulatorError } from '../domain/errors.ts'
import type { World } from '../domain/fixture/world.ts'
import type { Store } from '../store/store.ts'
import type { Scheduler } from '../time/scheduler.ts'
import type { ClientRegistry } from './client-registry.ts'

/** Clients that come with their whole worlds, from a fixture or a snapshot, and those that give way to them. */
export class WorldExchange {
  readonly #store: Store
  readonly #scheduler: Scheduler
  readonly #registry: ClientRegistry
  readonly #onEmptied: (clientId: string) => void
  readonly #exclusively: <T>(change: () => Promise<T>) => Promise<T>

  constructor(around: {
    store: Store
    scheduler: Scheduler
    registry: ClientRegistry
    onEmptied: (clientId: string) => void
    /** Takes a turn among the changes of clients. */
    exclusively: <T>(change: () => Promise<T>) => Promise<T>
  }) {
    this.#store = around.store
    this.#scheduler = around.scheduler
    this.#registry = around.registry
    this.#onEmptied = around.onEmptied
    this.#exclusively = around.exclusively
  }

  /** Takes in clients with their whole worlds, all of them or none. Those of `givingWay` that are here give way to them.
   *  @throws client_exists, order_exists, order_id_taken */
  takeIn(world: World, givingWay: readonly string[]): Promise<void> {
    return this.#exclusively(async () => {
      const replaced = givingWay.filter((clientId) => this.#registry.find(clientId) !== undefined)
      this.#refuseTaken(world, replaced)
      await this.#exchange(replaced, async () => {
        await this.#store.load(world, replaced)
        return world
      })
    })
  }

  /** Has clients with their whole worlds come from a snapshot: all that are here give way, or the one of the given name.
   *  @param write puts them into the store; if it throws, all is as it was */
  restore(clientId: string | undefined, write: () => Promise<void>): Promise<void> {
    const isMeant = (other: { readonly clientId: string }) =>
      clientId === undefined || other.clientId === clientId
    return this.#exclusively(async () => {
      const replaced = this.#registry.all().filter(isMeant)
      await this.#exchange(
        replaced.map((client) => client.clientId),
        async () => {
          await write()
          const [clients, tokens] = await Promise.all([this.#store.clients(), this.#store.tokens()])
          return { clients: clients.filter(isMeant), tokens: tokens.filter(isMeant) }
        },
      )
    })
  }

  /** @param exchange does it in the store, and answers who has come; if it throws, the old ones go on */
  async #exchange(
    replaced: readonly string[],
    exchange: () => Promise<Pick<World, 'clients' | 'tokens'>>,
  ): Promise<void> {
    const clocks = replaced.map((clientId) => [clientId, this.#scheduler.clockState(clientId)] as const)
    // Nothing of the new worlds may leave before they are known here, and be taken for the old ones'. Until then the old
    // clocks can be read.
    await Promise.all(replaced.map((clientId) => this.#scheduler.halt(clientId)))
    let come: Pick<World, 'clients' | 'tokens'>
    try {
      come = await exchange()
    } catch (error) {
      for (const [clientId, clock] of clocks) this.#scheduler.add(clientId, clock)
      throw error
    }
    const newest = await Promise.all(come.clients.map(({ clientId }) => this.#store.newestMoment(clientId)))
    // From here on in one turn: nobody may see a client without a clock.
    for (const clientId of replaced) {
      this.#onEmptied(clientId)
      this.#registry.forget(clientId)
      void this.#scheduler.remove(clientId)
    }
    this.#registry.tokens.rememberIssued(come.tokens)
    for (const [n, client] of come.clients.entries()) {
      this.#registry.remember(client)
      this.#scheduler.add(client.clientId, client.clock, newest[n] ?? null)
    }
  }

  /** @throws client_exists */
  #refuseTaken({ clients, tokens }: World, replaced: readonly string[]): void {
    const isOthers = (owner: string | undefined) => owner !== undefined && !replaced.includes(owner)
    const owned = [
      ...clients.map(({ clientId, accessToken }) => [clientId, accessToken] as const),
      ...tokens.map(({ clientId, token }) => [clientId, token] as const),
    ]
    for (const [clientId, token] of owned) {
      const owner = this.#registry.tokens.holderOf(token)
      if (isOthers(owner) || isOthers(this.#registry.find(clientId)?.clientId))
        throw new EmulatorError('client_exists', { clientId })
    }
  }
}
