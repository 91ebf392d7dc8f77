import fc from 'fast-check'
import type { Kind } from '../command.ts'
import { same } from '../difference.ts'
import { type ClientId, clientIds, type World } from '../world.ts'
import { anyOrder, orderWords, sendCreate, type Wanted } from './create.ts'
import { remove } from './fault.ts'

/** Creates at the same moment: more than there are connections to an endpoint, and some under one requestId, of which
 *  exactly one succeeds (N15). */
export const createSeveral: Kind<readonly Wanted[]> = {
  name: 'create at once',
  weight: 2,
  parameters: fc.oneof(
    { arbitrary: fc.array(anyOrder, { minLength: 2, maxLength: 24 }), weight: 2 },
    { arbitrary: anyOrder.map(twentyLike), weight: 1 },
  ),
  words: (orders) => orders.map(orderWords).join(', '),
  act: async (world, orders) => {
    // Which of many at once meets a fault is left open.
    if (world.faults.meetCreates) await remove(world)
    const taken = new Set(clientIds.flatMap((client) => takenBy(world, client)))
    const answers = await Promise.all(
      orders.map(async (wanted) => ({ wanted, answer: await sendCreate(world, wanted) })),
    )
    const created = answers.filter(({ answer }) => answer === 'created').map(({ wanted }) => wanted)
    const refused = answers.filter(({ answer }) => answer === 'taken')
    same([`${created.length + refused.length}`], [`${orders.length}`])
    same(
      created.map(nameOf).sort(),
      [...new Set(orders.map(nameOf))].filter((name) => !taken.has(name)).sort(),
    )
    // Which of those that were created at one moment is the older one is left open.
    const listed = await listedNames(world)
    const place = (wanted: Wanted) => listed.indexOf(nameOf(wanted))
    for (const wanted of created.sort((a, b) => place(a) - place(b)))
      world.sides[wanted.client].model.create(wanted)
  },
}

/** All requestIds there are, so that everything they do falls on the same moments. */
function twentyLike(order: Wanted): Wanted[] {
  return Array.from({ length: 20 }, (_, n) => ({ ...order, requestId: `r${n}` }))
}

const nameOf = ({ client, requestId }: Wanted) => `${client} ${requestId}`

/** All orders as the emulator lists them, oldest first. */
async function listedNames({ bench }: World): Promise<string[]> {
  const { text } = await bench.control('/orders?limit=1000')
  const { items }: { items: { clientId: string; requestId: string }[] } = JSON.parse(text)
  return items.map(({ clientId, requestId }) => `${clientId} ${requestId}`)
}

const takenBy = ({ sides }: World, client: ClientId) =>
  sides[client].model.orders.map(({ requestId }) => `${client} ${requestId}`)
