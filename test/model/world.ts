import type { TestClient } from '../support/client.ts'
import { Bench } from './bench.ts'
import { ModelClient } from './model-client.ts'
import { ModelFaults } from './model-faults.ts'
import { t0 } from './names.ts'

/** A client twice: as it is, and as the model imagines it. */
export interface Side {
  readonly real: TestClient
  readonly model: ModelClient
}

/** Played in one run: the emulator, and its two clients that have nothing to do with each other. */
export interface World {
  readonly bench: Bench
  readonly faults: ModelFaults
  readonly sides: Readonly<Record<ClientId, Side>>
}

export const clientIds = ['C1', 'C2'] as const
export type ClientId = (typeof clientIds)[number]

/** @param kind of the store: see `storeKind` */
export async function newWorld(kind: string): Promise<World> {
  const bench = new Bench(kind)
  await bench.start()
  const faults = new ModelFaults()
  const side = async (clientId: ClientId, webhookUrl: string): Promise<Side> => ({
    real: await bench.addClient({ clientId, webhookUrl }),
    model: new ModelClient(
      clientId,
      { now: t0, url: webhookUrl },
      (event) => bench.endpoints.of(event).length,
      (delivery, now) => {
        const isDoubled = delivery.copiesLeft !== null
        return faults.meet({ on: 'delivery', when: null }, { client: clientId, ...delivery, isDoubled }, now)
      },
    ),
  })
  return {
    bench,
    faults,
    sides: {
      C1: await side('C1', bench.endpoints.urlOf('C1', 'a')),
      C2: await side('C2', bench.endpoints.urlOf('C2', 'b')),
    },
  }
}

/** The time of each client's clock. */
export function clockOf({ C1, C2 }: World['sides']): Record<ClientId, number> {
  return { C1: C1.model.now, C2: C2.model.now }
}
