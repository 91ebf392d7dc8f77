import { EmulatorError } from '../domain/errors.ts'
import type { World } from '../domain/fixture/world.ts'
import type { Store } from '../store/store.ts'
import type { Scheduler } from '../time/scheduler.ts'
import type { ClientRegistry } from './client-registry.ts'
import type { ClientTurns } from './client-turns.ts'

/** Clients that come with their whole worlds, from a fixture or a snapshot, and those that give way to them. */
export class WorldExchange {
  readonly #store: Store
  readonly #scheduler: Scheduler
  readonly #registry: ClientRegistry
  readonly #emptied: (clientId: string) => void
  readonly #turns: ClientTurns

  constructor(around: {
    store: Store
    scheduler: Scheduler
    registry: ClientRegistry
    emptied: (clientId: string) => void
    turns: ClientTurns
  }) {
    this.#store = around.store
    this.#scheduler = around.scheduler
    this.#registry = around.registry
    this.#emptied = around.emptied
    this.#turns = around.turns
  }

  /** Takes in clients with their whole worlds, all of them or none. Those of `givingWay` that are here give way to them.
   *  @throws client_exists, order_exists, order_id_taken */
  takeIn(world: World, givingWay: readonly string[]): Promise<void> {
    return this.#turns.take(async () => {
      const replaced = givingWay.filter((clientId) => this.#registry.find(clientId) !== undefined)
      this.#refuseTaken(world, replaced)
      await this.#exchange(replaced, {
        write: () => this.#store.load(world, replaced),
        read: async () => world,
      })
    })
  }

  /** Has clients with their whole worlds come from a snapshot: all that are here give way, or the one of the given name.
   *  @param snapshot `rehearse` throws if that would be refused: then nobody hears of it. `write` puts them into the
   *    store; if it throws, all is as it was. `reload` takes up anew what is remembered over the store beside them, in the
   *    turn in which `write` resolves */
  restore<Written>(
    clientId: string | undefined,
    snapshot: {
      rehearse: () => Promise<void>
      write: () => Promise<Written>
      reload: (written: Written) => Promise<void>
    },
  ): Promise<void> {
    const isMeant = (other: { readonly clientId: string }) =>
      clientId === undefined || other.clientId === clientId
    return this.#turns.take(async () => {
      await snapshot.rehearse()
      const replaced = this.#registry.all().filter(isMeant)
      await this.#exchange(
        replaced.map((client) => client.clientId),
        {
          write: snapshot.write,
          read: async (written) => {
            await snapshot.reload(written)
            const [clients, tokens] = await Promise.all([this.#store.clients(), this.#store.tokens()])
            return { clients: clients.filter(isMeant), tokens: tokens.filter(isMeant) }
          },
        },
      )
    })
  }

  /** Nothing that was decided in the old worlds is written into the new ones: their lives end in the turn in which the
   *  store has exchanged them.
   *  @param act `write` does it in the store; if it throws, the old ones go on. `read` then answers who has come; it
   *    only reads, and so it ends in the same turn */
  async #exchange<Written>(
    replaced: readonly string[],
    act: {
      write: () => Promise<Written>
      read: (written: Written) => Promise<Pick<World, 'clients' | 'tokens'>>
    },
  ): Promise<void> {
    const clocks = replaced.map((clientId) => [clientId, this.#scheduler.clockState(clientId)] as const)
    // Nothing of the new worlds may leave before they are known here, and be taken for the old ones'. Until then the old
    // clocks can be read.
    await Promise.all(replaced.map((clientId) => this.#scheduler.halt(clientId)))
    let written: Written
    try {
      written = await act.write()
    } catch (error) {
      for (const [clientId, clock] of clocks) this.#scheduler.add(clientId, clock)
      throw error
    }
    for (const clientId of replaced) this.#emptied(clientId)
    const come = await act.read(written)
    const newest = await Promise.all(come.clients.map(({ clientId }) => this.#store.newestMoment(clientId)))
    // From here on nobody comes in between: nobody may see a client without a clock.
    for (const clientId of replaced) {
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
