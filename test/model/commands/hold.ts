import fc from 'fast-check'
import { anyClient, type Kind } from '../command.ts'
import { same } from '../difference.ts'
import type { Hold } from '../model-outbox.ts'
import { type ClientId, clientIds, type World } from '../world.ts'

interface Holding {
  readonly clients: readonly ClientId[]
  readonly hold: Hold | undefined
}

const anyHold: fc.Arbitrary<Hold> = fc.oneof(
  fc.constant({}),
  fc.constantFrom('CREATED', 'COMPLETED', 'FAILED').map((orderStatus) => ({ orderStatus })),
  fc.constantFrom('r1*', 'r7').map((requestId) => ({ requestId })),
  fc.constant({ requestId: 'r1*', orderStatus: 'COMPLETED' }),
)

/** One client mostly, sometimes all. */
const someClients = fc.oneof(
  { arbitrary: anyClient.map((id) => [id]), weight: 5 },
  { arbitrary: fc.constant([...clientIds]), weight: 1 },
)

const words = ({ clients, hold }: Holding) =>
  `${clients.join(' and ')}: ${hold === undefined ? 'all holds' : JSON.stringify(hold)}`

export const hold: Kind<Holding> = {
  name: 'hold the webhooks of',
  weight: 3,
  parameters: fc.record({ clients: someClients, hold: anyHold }),
  words,
  act: async (world, { clients, hold: wanted }) => {
    const { held } = await act(world, 'hold', clients, wanted)
    const counts = clients.map((id) => {
      const { outbox, now } = world.sides[id].model
      return outbox.hold(wanted ?? {}, now)
    })
    same([`held ${held}`], [`held ${sum(counts)}`])
  },
}

/** Releases one hold, the matching part of one, or all. */
export const release: Kind<Holding> = {
  name: 'release the webhooks of',
  weight: 5,
  parameters: fc.record({ clients: someClients, hold: fc.option(anyHold, { nil: undefined }) }),
  words,
  act: async (world, { clients, hold: wanted }) => {
    const { released } = await act(world, 'release', clients, wanted)
    const counts = clients.map((id) => {
      const { outbox, now } = world.sides[id].model
      return outbox.release(wanted, now)
    })
    same([`released ${released}`], [`released ${sum(counts)}`])
  },
}

async function act(
  { bench }: World,
  verb: 'hold' | 'release',
  clients: readonly ClientId[],
  where: Hold | undefined,
): Promise<{ held?: number; released?: number }> {
  const query = clients.length === 1 ? `?clientId=${clients[0]}` : ''
  const answer = await bench.control(
    `/deliveries/${verb}${query}`,
    'POST',
    where === undefined ? {} : { where },
  )
  return JSON.parse(answer.text)
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
