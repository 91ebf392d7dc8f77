import fc from 'fast-check'
import { anyClient, type Kind } from '../command.ts'
import { same } from '../difference.ts'
import { apartMs, type FaultWhere, faultStatus, type WantedFault } from '../model-faults.ts'
import { type ClientId, clockOf, type World } from '../world.ts'

const anyOwner = fc.option(anyClient, { freq: 3 })
const anyRequestId = fc.constantFrom<FaultWhere>({}, { requestId: 'r1*' }, { requestId: 'r7' })
const anyTimes = fc.integer({ min: 1, max: 3 }).map((times) => ({ times }))
const anyLength = fc.constantFrom(2_000, 60_000, 3_600_000).map((forMs) => ({ forMs }))

/** Create calls at any stage; lookups, which the comparison after each command makes. */
const anyCallFault: fc.Arbitrary<WantedFault> = fc.record({
  client: anyOwner,
  on: fc.constantFrom('create-order', 'orders'),
  when: fc.constantFrom('unchecked', 'before', 'stored'),
  where: anyRequestId,
  effect: fc.constant('fails'),
  skip: fc.nat(1),
  limit: fc.oneof(anyTimes, anyLength),
})

/** All attempts of a time: which of several in one moment comes first is left open, so that nothing can be said of a
 *  number. */
const anyDeliveryFault: fc.Arbitrary<WantedFault> = fc.record({
  client: anyOwner,
  on: fc.constant('delivery'),
  when: fc.constant(null),
  where: fc.oneof(anyRequestId, fc.constantFrom({ orderStatus: 'CREATED' }, { orderStatus: 'COMPLETED' })),
  effect: fc.constantFrom('fails', 'doubles'),
  skip: fc.constant(0),
  limit: anyLength,
})

/** Plans a misbehaviour: calls are answered with 503, attempts count as answered with 503, or webhooks
 *  are doubled. */
export const planFault: Kind<WantedFault> = {
  name: 'plan a fault',
  weight: 5,
  parameters: fc.oneof(anyCallFault, anyDeliveryFault),
  words: ({ client, on, when, where, effect, skip, limit }) =>
    `of ${client ?? 'both'}: ${on} ${when ?? ''} ${effect} ${JSON.stringify({ where, skip, ...limit })}`,
  act: async ({ bench, faults, sides }, wanted) => {
    const { client, on, when, where, skip, limit } = wanted
    const query = client === null ? '' : `?clientId=${client}`
    const length = 'times' in limit ? limit : { for: `${limit.forMs}ms` }
    const failing = on === 'delivery' ? { countAs: faultStatus } : { status: faultStatus }
    const effect = wanted.effect === 'fails' ? failing : { duplicate: 1, apart: `${apartMs}ms` }
    const body = { on, where, skip, effect, ...length, ...(when === null ? {} : { when }) }
    await bench.control(`/faults${query}`, 'POST', body)
    faults.plan(wanted, clockOf(sides))
  },
}

/** Ends the faults that belong to a client, or all. */
export const removeFaults: Kind<ClientId | null> = {
  name: 'remove the faults of',
  weight: 1,
  parameters: anyOwner,
  words: (client) => client ?? 'all',
  act: (world, client) => remove(world, client ?? undefined),
}

/** Removes faults of the emulator and of the model. */
export async function remove({ bench, faults }: World, client?: ClientId): Promise<void> {
  const query = client === undefined ? '' : `?clientId=${client}`
  const { removed } = (await bench.control(`/faults${query}`, 'DELETE')).json
  same([`removed ${removed}`], [`removed ${faults.remove(client)}`])
}
