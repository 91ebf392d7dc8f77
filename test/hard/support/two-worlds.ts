import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import fc from 'fast-check'
import { onTestFinished } from 'vitest'
import type { JsonObject } from '../../support/answer.ts'
import type { Ledger, TestClient } from '../../support/client.ts'
import type { TestEmulator } from '../../support/emulator.ts'

const dayMs = 86_400_000

/** An order as a seed makes it up. */
interface Planned {
  readonly scenario: string
  readonly fiatAmount: string
  /** null for a checkout. */
  readonly trialPeriodDays: string | null
}

/** The inputs that follow from a seed: orders, repetitions of their webhooks, and the stops of a slow walker. */
export interface World {
  readonly orders: readonly Planned[]
  readonly settings: JsonObject
  /** Milliseconds from one stop to the next. */
  readonly steps: readonly number[]
}

const scenarios = ['happy', 'happy-slow', 'happy-instant', 'fail-9004', 'fail-9005', 'never-pays'] as const

/** @param days how long the world is watched; the steps add up to that */
export function worldOf(seed: number, orders: number, days: number): World {
  const order = fc.record({
    scenario: fc.constantFrom(...scenarios),
    fiatAmount: fc.integer({ min: 1, max: 99_999 }).map((cents) => (cents / 100).toFixed(2)),
    trialPeriodDays: fc.option(fc.integer({ min: 1, max: 40 }).map(String)),
  })
  const settings = fc.record({
    'webhook.retry.base': fc.constantFrom('1s', '7s', '10m', '5h'),
    'webhook.retry.cap': fc.constantFrom('1m', '2h', '3d'),
    'webhook.retry.max': fc.constantFrom(0, 2, 6),
    'orders.onExpiry': fc.constantFrom('keep', 'fail', 'abandon'),
  })
  // As many stops within seconds and minutes of the begin as within days: most happens there.
  const stop = fc.double({ min: 0, max: 1, noNaN: true }).map((x) => Math.floor((days * dayMs) ** x))
  const world = fc.record({
    orders: fc.array(order, { minLength: orders, maxLength: orders }),
    settings,
    stops: fc.array(stop, { minLength: 20, maxLength: 20 }),
  })
  const [{ stops, ...rest } = { orders: [], settings: {}, stops: [] }] = fc.sample(world, {
    seed,
    numRuns: 1,
  })
  const moments = [0, ...stops.toSorted((a, b) => a - b), days * dayMs]
  return { ...rest, steps: moments.slice(1).map((moment, n) => moment - (moments[n] ?? 0)) }
}

/** Creates the orders of a world, one after the other in one instant, and waits for their first webhooks. */
export async function populate(client: TestClient, { orders }: World): Promise<void> {
  const create = ({ scenario, fiatAmount, trialPeriodDays }: Planned, n: number) => {
    const options = { headers: { 'emulator-scenario': scenario } }
    const requestId = `r${String(n).padStart(3, '0')}`
    return trialPeriodDays === null
      ? client.createCheckout(client.checkout(requestId, { fiatAmount }), options)
      : client.createSubscription(client.subscription(requestId, { fiatAmount, trialPeriodDays }), options)
  }
  const answers = await Promise.all(orders.map(create))
  const refused = answers.find(({ status }) => status !== 200)
  if (refused !== undefined) throw new Error(`an order of the world was refused: ${refused.text}`)
  await client.settle()
}

/** The ledger of a walk and the records after it, line by line, without wall-clock times, signatures and ports. */
export async function storyOf(
  emulator: TestEmulator,
  client: TestClient,
  ledgers: readonly Ledger[],
): Promise<Story> {
  const orders = await everything(emulator, `/orders?clientId=${client.clientId}`)
  const deliveries = await everything(emulator, `/deliveries?clientId=${client.clientId}`)
  const histories = await Promise.all(
    orders.map(async ({ orderId }) => (await emulator.control(`/orders/${orderId}`)).text),
  )
  const bare = deliveries.map(({ url: _, attempts, ...rest }) => ({ ...rest, attempts: bareOf(attempts) }))
  return {
    transitions: lines(ledgers.flatMap(({ transitions }) => transitions)),
    attempts: lines(ledgers.flatMap(({ deliveries }) => deliveries)),
    // They were created at once, and are listed in the order in which that happened to succeed.
    records: [...histories, ...lines(bare), `next due ${ledgers.at(-1)?.nextDueAt}`].toSorted(),
  }
}

/** Each list in its order. */
export interface Story {
  readonly transitions: readonly string[]
  readonly attempts: readonly string[]
  readonly records: readonly string[]
}

/** The first lines in which two stories differ; null if they do not. */
export function firstDifference(one: Story, other: Story): readonly [string, string] | null {
  const [mine, theirs] = [one, other].map((story) => [
    ...story.transitions,
    'attempts',
    ...story.attempts,
    'records',
    ...story.records,
    'end',
  ])
  const at = mine?.findIndex((line, n) => line !== theirs?.[n]) ?? -1
  return at === -1 ? null : [mine?.[at] ?? '', theirs?.[at] ?? '']
}

const lines = (things: readonly object[]) => things.map((thing) => JSON.stringify(thing))

/** Answers each arrival by its `webhook-id` and how often that has arrived: two in three with 200, the others with
 *  an error that is retried. Sandboxes with different URL paths do not affect each other. */
export async function startFickle(): Promise<{ url: string; arrivals: () => number }> {
  const seen = new Map<string, number>()
  let arrivals = 0
  const server = createServer((request, response) => {
    request.resume()
    arrivals += 1
    const id = String(request.headers['webhook-id'])
    const key = `${request.url} ${id}`
    const n = (seen.get(key) ?? 0) + 1
    seen.set(key, n)
    const chance = createHash('sha256').update(`${id} ${n}`).digest().readUInt8(0) % 12
    if (chance === 0) request.socket.resetAndDestroy()
    else if (chance === 1) response.writeHead(429, { 'retry-after': '90' }).end()
    else response.writeHead(chance < 4 ? 500 : 200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    arrivals: () => arrivals,
  }
}

async function everything(emulator: TestEmulator, path: string): Promise<JsonObject[]> {
  const all: JsonObject[] = []
  for (let cursor = ''; ; ) {
    const { items, json } = await emulator.control(`${path}&limit=1000${cursor}`)
    all.push(...items)
    if (typeof json.next !== 'string') return all
    cursor = `&cursor=${encodeURIComponent(json.next)}`
  }
}

function bareOf(attempts: unknown): object[] {
  if (!Array.isArray(attempts)) throw new Error('a delivery without attempts')
  return attempts.map(({ n, at, outcome, status, responseBody }) => ({
    n,
    at,
    outcome,
    status,
    responseBody,
  }))
}
