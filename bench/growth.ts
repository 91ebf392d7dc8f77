import type { Bench, Stored } from './frame/bench.ts'
import { compare } from './frame/comparison.ts'
import type { Contender } from './frame/rounds.ts'
import type { Result, Section } from './frame/section.ts'
import type { Server } from './frame/server.ts'
import { growWorld } from './grown-world.ts'
import { create, lookup } from './load/requests.ts'

/** What create calls and lookups keep of their speed at 1,000 orders. */
interface Size {
  readonly orders: number
  readonly aims?: { readonly create: number; readonly lookup: number }
}

const million = { orders: 1_000_000, aims: { create: 0.85, lookup: 0.7 } }
const fiveMillion = { orders: 5_000_000, aims: { create: 0.7, lookup: 0.65 } }

/** What is left of the speed once there are many orders, each with a step ahead of it. */
export const growth: Section = {
  name: 'growth',
  goal: 3,
  runs: 'full',
  run: (bench) => measureGrowth(bench, [{ orders: 100_000 }, million]),
}

/** The same with a file of some 9 GB. */
export const fiveMillionOrders: Section = {
  name: 'five-million',
  goal: 3,
  runs: 'asked',
  run: (bench) => measureGrowth(bench, [fiveMillion]),
}

const few = 1_000

/** In each round: the world that begins with a thousand orders must not outgrow them much. */
const createsInARound = 6_000

/** Different lookups: so many that a cache of pages does not hold what they lead to. */
const lookups = 20_000

async function measureGrowth(bench: Bench, sizes: readonly Size[]): Promise<Result[]> {
  const worlds = [await worldOf(bench, few)]
  for (const { orders } of sizes) worlds.push(await worldOf(bench, orders))
  // Apart from the one that is looked into, because it is emptied in each round.
  const small = await worldOf(bench, few)
  const creates = contenders('create', [small, ...worlds.slice(1)], sizes, ({ server }) => ({
    ...{ server, shape: create, count: createsInARound },
    ...(server === small.server && { before: () => emptied(bench, server) }),
  }))
  const looks = contenders('lookup', worlds, sizes, ({ server, stored: { first, count } }) => ({
    ...{ server, shape: lookup },
    stored: { first, count: Math.min(count, lookups) },
  }))
  return [...(await compare(bench, creates)), ...(await compare(bench, looks))]
}

interface World {
  readonly server: Server
  readonly stored: Stored
}

/** The worlds' contenders; the first is what the others are compared with. */
function contenders(
  what: 'create' | 'lookup',
  worlds: readonly World[],
  sizes: readonly Size[],
  contender: (world: World) => Omit<Contender, 'name'>,
): Contender[] {
  const name = (orders: number) => `${what} among ${orders.toLocaleString('en')}`
  return worlds.map((world, place) => {
    const size = sizes[place - 1]
    const known = contender(world)
    if (size === undefined) return { ...known, name: name(few) }
    const goal = size.aims && { goal: { aim: size.aims[what], better: 'higher' as const } }
    return { ...known, name: name(size.orders), beside: name(few), ...goal }
  })
}

/** Starts an emulator on a world of so many orders. */
async function worldOf(bench: Bench, orders: number): Promise<World> {
  const database = bench.newDatabase()
  const sample = await bench.emulator({ database })
  await bench.store(sample, 1)
  await sample.stop()
  bench.say(`makes ${orders.toLocaleString('en')} orders`)
  const stored = { first: bench.newOrders(orders), count: orders }
  growWorld(database, stored)
  return { server: await bench.emulator({ database }), stored }
}

/** Back to a thousand orders. */
async function emptied(bench: Bench, server: Server): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${server.url}/_emulator/reset`, { method: 'POST', headers, body: '{}' })
  if (!answer.ok) throw new Error(await answer.text())
  await bench.store(server, few)
}
