import type { Bench } from './frame/bench.ts'
import { compare, compareAnew } from './frame/comparison.ts'
import type { Contender } from './frame/rounds.ts'
import type { Goal, Result, Section } from './frame/section.ts'
import type { Server } from './frame/server.ts'
import { echo, create as shape } from './load/requests.ts'

const aims = {
  file: { aim: 0.4, better: 'higher' },
  memory: { aim: 0.45, better: 'higher' },
  oneConnection: { aim: 2, better: 'lower' },
} satisfies Record<string, Goal>

const beside = 'Hono echo'

/** How near a create call, with its order, its step and its webhook committed before the answer, comes to a server
 *  that only sends the body back. */
export const create: Section = {
  name: 'create',
  goal: 1,
  runs: 'always',
  async run(bench) {
    const many = await manyConnections(bench)
    const hono = await bench.program('hono')
    return [
      ...many,
      ...(await oneConnection(bench, hono)),
      ...(bench.quick ? [] : await withMoreToDo(bench, hono)),
    ]
  },
}

/** In the full bench beside the bare program, which says how much of it is the emulator's own. */
async function manyConnections(bench: Bench): Promise<Result[]> {
  return compareAnew(bench, async () => [
    { name: beside, server: await bench.program('hono'), shape: echo },
    { name: 'create, file', server: await bench.emulator(), shape, beside, goal: aims.file },
    {
      ...{ name: 'create, in memory', server: await bench.emulator({ database: ':memory:' }), shape, beside },
      goal: aims.memory,
    },
    ...(bench.quick ? [] : [await bare(bench, 'file'), await bare(bench, 'in memory')]),
  ])
}

async function bare(bench: Bench, where: 'file' | 'in memory'): Promise<Contender> {
  const server = await bench.program('ladder', where === 'file' ? bench.newDatabase() : ':memory:')
  return { name: `the bare program, ${where}`, server, shape: { ...shape, path: '/stored' }, beside }
}

/** How long the one waits who sends one request after the other, as most tests do. */
async function oneConnection(bench: Bench, hono: Server): Promise<Result[]> {
  const file = await bench.emulator()
  const bare = await bench.program('ladder', bench.newDatabase())
  const alone = { connections: 1, beside, by: 'p50' } as const
  const floor = 'the bare program, one connection'
  const results = await compare(bench, [
    { name: beside, server: hono, shape: echo, connections: 1 },
    { ...alone, name: floor, server: bare, shape: { ...shape, path: '/stored' } },
    { ...alone, name: 'create, one connection', server: file, shape, goal: aims.oneConnection, floor },
  ])
  await Promise.all([file.stop(), bare.stop()])
  return results
}

/** As people run it: webhooks are sent meanwhile, steps become due. */
async function withMoreToDo(bench: Bench, hono: Server): Promise<Result[]> {
  const receiver = await bench.receiver()
  const webhookUrl = `${receiver.url}/webhook`
  const manual = await bench.emulator({ webhookUrl })
  const real = await bench.emulator({ webhookUrl, clock: 'real' })
  return compare(bench, [
    { name: beside, server: hono, shape: echo },
    { name: 'create, webhook URL, manual clock', server: manual, shape, beside },
    { name: 'create, webhook URL, real clock', server: real, shape, beside },
  ])
}
