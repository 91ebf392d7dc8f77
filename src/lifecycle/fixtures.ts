import { effectiveSettings, layered } from '../domain/choices/settings.ts'
import type { WantedClock } from '../domain/client/client.ts'
import type { FixtureWorld } from '../domain/fixture/compile-fixture.ts'
import { type FixtureFile, worldOf } from '../domain/fixture/fixture-file.ts'
import type { WorldOrder } from '../domain/fixture/world.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import type { Clients } from './clients.ts'
import { FixtureRefused } from './fixture-files.ts'
import type { ScenarioCatalog } from './scenarios/catalog.ts'
import { sealedDelivery } from './sealed-body.ts'

/** Decides about clients of a fixture that exist already. */
export type Existing = 'refuse' | 'replace' | 'leave'

/** The result of loading a fixture. */
export interface FixtureReport {
  readonly file: string
  readonly loaded: readonly {
    readonly clientId: string
    readonly orders: number
    readonly deliveries: number
  }[]
  /** The ids of existing clients that were replaced. */
  readonly replaced: readonly string[]
  /** The ids of existing clients that were left unchanged. */
  readonly left: readonly string[]
}

/** Loads fixtures, each completely or not at all. */
export class Fixtures {
  readonly #clients: Clients
  readonly #catalog: ScenarioCatalog
  readonly #seed: () => string
  readonly #wall: () => number

  constructor(options: {
    clients: Clients
    catalog: ScenarioCatalog
    seed: () => string
    wall: () => number
  }) {
    this.#clients = options.clients
    this.#catalog = options.catalog
    this.#seed = options.seed
    this.#wall = options.wall
  }

  /** @throws FixtureRefused, fixture_exists, client_exists, order_exists, order_id_taken */
  async load(fixture: FixtureFile, existing: Existing): Promise<FixtureReport> {
    const { file } = fixture
    const compiled = worldOf(fixture, this.#surroundings())
    if ('problems' in compiled) throw new FixtureRefused(compiled.problems)
    const there = compiled.world.clients
      .map(({ clientId }) => clientId)
      .filter((clientId) => this.#clients.find(clientId) !== undefined)
    if (there.length > 0 && existing === 'refuse')
      throw new EmulatorError('fixture_exists', { clientIds: there.join(', ') })
    const left = existing === 'leave' ? there : []
    const replaced = existing === 'replace' ? there : []
    const world = this.#sealed(without(compiled.world, left))
    if (world.clients.length > 0) await this.#clients.load(world, replaced)
    return { file, loaded: world.clients.map(({ clientId }) => countOf(clientId, world)), replaced, left }
  }

  #surroundings() {
    const wallNow = this.#wall()
    const { newClocks } = this.#clients
    const common = layered(...this.#clients.overlaysOf())
    return {
      seed: this.#seed(),
      common,
      scenarios: this.#catalog,
      clock: (wanted: WantedClock = {}) => newClocks.begin(newClocks.with(wanted), wallNow),
      wallNow,
    }
  }

  /** Puts webhook bodies of a fixture into their wire format, as a commit does. */
  #sealed(world: FixtureWorld): FixtureWorld {
    const common = layered(...this.#clients.overlaysOf())
    const seal = ({ deliveries, ...order }: WorldOrder): WorldOrder => {
      const { clientId, scenario } = order.order
      const client = world.clients.find((each) => each.clientId === clientId)
      const own = world.scenarios.find(({ version }) => version === scenario.version)?.scenario.settings
      const settings = effectiveSettings(common, client?.settings ?? {}, own ?? {})
      if (client === undefined) return { ...order, deliveries }
      return { ...order, deliveries: deliveries.map((each) => sealedDelivery(each, settings, client)) }
    }
    return { ...world, orders: world.orders.map(seal) }
  }
}

function without(world: FixtureWorld, left: readonly string[]): FixtureWorld {
  if (left.length === 0) return world
  const stays = ({ clientId }: { readonly clientId: string }) => !left.includes(clientId)
  return {
    ...world,
    clients: world.clients.filter(stays),
    tokens: world.tokens.filter(stays),
    orders: world.orders.filter(({ order }) => stays(order)),
  }
}

function countOf(clientId: string, { orders }: FixtureWorld): FixtureReport['loaded'][number] {
  const own = orders.filter(({ order }) => order.clientId === clientId)
  const deliveries = own.reduce((sum, each) => sum + each.deliveries.length, 0)
  return { clientId, orders: own.length, deliveries }
}
