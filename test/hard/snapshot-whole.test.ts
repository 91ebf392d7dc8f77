import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import * as z from 'zod'
import type { TestClient } from '../support/client.ts'
import { emulatorAt, type TestEmulator } from '../support/emulator.ts'
import { startReceiver } from '../support/receiver.ts'
import { restore, snapshotOf } from '../support/snapshot.ts'
import { report } from './support/figures.ts'
import { aFolder } from './support/load.ts'
import { type Program, startProgram } from './support/program.ts'
import { sized } from './support/size.ts'

const ordersOfAClient = sized({ whole: 8_400, part: 800 })
/** Three clients a file, as many orders as a file may have. */
const owners = ['a', 'b', 'c', 'd'].map((file) => [1, 2, 3].map((n) => `${file}${n}`))
const stored = owners.flat().length * ordersOfAClient
/** As titles name it. */
const many = `${Math.floor(stored / 1_000)},000 orders`

/** Arguments of a program that starts with all these orders. */
function largeWorld(inFolder: string): string[] {
  const orders = Array.from({ length: ordersOfAClient }, (_, n) => ({
    requestId: `r${n}`,
    created: '1h ago',
    status: 'COMPLETED',
  }))
  return owners.flatMap((clientIds, n) => {
    const file = join(inFolder, `${n}.json`)
    writeFileSync(file, JSON.stringify({ clients: clientIds.map((clientId) => ({ clientId, orders })) }))
    return ['--fixtures', file]
  })
}

const orderShape = z.object({
  requestId: z.string(),
  orderStatus: z.string(),
  history: z.array(z.object({ what: z.string(), to: z.string().optional() })),
  deliveries: z.array(z.string()),
})
type Order = z.output<typeof orderShape>
const deliveryShape = z.object({ id: z.string(), requestId: z.string(), orderStatus: z.string() })

async function all<T extends z.ZodType>(
  { control }: TestEmulator,
  path: string,
  item: T,
): Promise<z.output<T>[]> {
  const page = z.object({ items: z.array(item), next: z.string().nullable() })
  const items: z.output<T>[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const answer: z.output<typeof page> = page.parse((await control(`${path}limit=1000${from}`)).json)
    items.push(...answer.items)
    cursor = answer.next
  }
  return items
}

interface Create {
  readonly requestId: string
  readonly begunAt: number
  readonly answeredAt: number
}

/** Creates orders and completes each before the next, until it is stopped. */
async function writeUntil(stop: AbortSignal, client: TestClient): Promise<Create[]> {
  const creates: Create[] = []
  while (!stop.aborted) {
    const requestId = `${client.clientId}-${creates.length}`
    const begunAt = performance.now()
    expect((await client.createCheckout(requestId)).status).toBe(200)
    creates.push({ requestId, begunAt, answeredAt: performance.now() })
    await client.advance('10s')
  }
  return creates
}

/** Contradictions between an order and its webhooks, which must be of the same time. */
function halfOf(order: Order, told: readonly string[]): string[] {
  const status = order.history.findLast(({ what }) => what === 'order' || what === 'created')?.to
  const wanted = order.orderStatus === 'CREATED' ? 'CREATED' : 'CREATED,COMPLETED'
  const is = `${order.orderStatus}, history ${status}, webhooks ${told}`
  return status === order.orderStatus && told.join() === wanted ? [] : [`${order.requestId}: ${is}`]
}

const folder = mkdtempSync(join(tmpdir(), 'hard-'))
afterAll(() => rmSync(folder, { recursive: true }))
const { url } = await startProgram(['--clock', 'manual', ...largeWorld(folder)], { atEnd: afterAll })
const emulator = emulatorAt(url, async () => undefined)
afterAll(() => emulator.close())
/** Of the large world, before any test has changed it. */
const large = await snapshotOf(emulator)

test(`a snapshot of ${many} shows one moment, though creates and changes go on`, async () => {
  const receiver = await startReceiver()
  const writers = await Promise.all(
    ['w1', 'w2', 'w3', 'w4'].map((clientId) => emulator.addClient({ clientId, webhookUrl: receiver.url })),
  )
  const stop = new AbortController()
  const writing = writers.map((client) => writeUntil(stop.signal, client))
  await receiver.received(100)
  const askedAt = performance.now()
  const snapshot = await snapshotOf(emulator)
  const takenAt = performance.now()
  stop.abort()
  const creates = (await Promise.all(writing)).flat()

  await restore(emulator, snapshot)
  const orders: Order[] = []
  const half: string[] = []
  for (const { clientId } of writers) {
    const own = await all(emulator, `/orders?clientId=${clientId}&`, orderShape)
    const deliveries = await all(emulator, `/deliveries?clientId=${clientId}&`, deliveryShape)
    const statusOf = new Map(deliveries.map(({ id, orderStatus }) => [id, orderStatus]))
    for (const order of own)
      half.push(
        ...halfOf(
          order,
          order.deliveries.map((id) => statusOf.get(id) ?? 'none'),
        ),
      )
    if (deliveries.length !== own.flatMap((order) => order.deliveries).length)
      half.push(`${clientId} has deliveries of no order`)
    // A writer completes each order before it creates the next.
    if (own.filter(({ orderStatus }) => orderStatus === 'CREATED').length > 1)
      half.push(`${clientId} has an order after one that is not completed`)
    orders.push(...own)
  }
  const shown = new Set(orders.map(({ requestId }) => requestId))
  const [inside, outside] = [
    creates.filter(({ requestId }) => shown.has(requestId)),
    creates.filter(({ requestId }) => !shown.has(requestId)),
  ]
  const lastBegun = Math.max(...inside.map(({ begunAt }) => begunAt))
  const missing = outside.filter(({ answeredAt }) => answeredAt < Math.max(askedAt, lastBegun))
  const tooNew = inside.filter(({ begunAt }) => begunAt > takenAt)
  const meanwhile = creates.filter(({ begunAt }) => begunAt > askedAt && begunAt < takenAt)
  let total = 0
  for (const clientId of owners.flat())
    total += (await all(emulator, `/orders?clientId=${clientId}&`, z.object({}))).length
  report({
    area: 'worlds',
    promise: `A snapshot of ${many} shows one moment, though creates and changes go on`,
    test: 'test/hard/snapshot-whole.test.ts',
    figures: {
      orders: total + orders.length,
      'created during the call': meanwhile.length,
      'of these shown': meanwhile.filter(({ requestId }) => shown.has(requestId)).length,
      'missing though a later one is shown': missing.length,
      'shown too early': tooNew.length,
      half: half.length,
      'call (ms)': Math.round(takenAt - askedAt),
    },
  })
  expect(missing).toEqual([])
  expect(tooNew).toEqual([])
  expect(half).toEqual([])
  expect(total).toBe(stored)
  expect(outside.length, 'created while it was taken, after its moment').toBeGreaterThan(0)
})

/** Which clients there are, and how many orders the first and the last of the large world have. */
async function worldAt(url: string): Promise<string> {
  const read = async (path: string) =>
    z
      .object({ items: z.array(z.record(z.string(), z.unknown())) })
      .parse(await (await fetch(`${url}/_emulator/${path}`)).json()).items
  const clients = (await read('clients?limit=100')).map(({ clientId }) => clientId)
  const counts: number[] = []
  for (const owner of [owners.flat().at(0), owners.flat().at(-1)])
    counts.push(clients.includes(owner) ? (await read(`orders?clientId=${owner}&limit=1000`)).length : 0)
  return `${clients.toSorted()}: ${counts}`
}

/** Restores the large world; the status of the answer, null if none came. */
const putLarge = (url: string): Promise<number | null> =>
  fetch(`${url}/_emulator/snapshot`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: large,
  }).then(
    ({ status }) => status,
    () => null,
  )

test(`a restore of ${many} is seen as a whole or not at all`, async () => {
  const { url } = await startProgram([])
  const before = await worldAt(url)
  let isOver = false
  const restored = putLarge(url).finally(() => {
    isOver = true
  })
  const seen: string[] = []
  while (!isOver) seen.push(await worldAt(url))
  expect(await restored).toBe(200)
  const after = await worldAt(url)
  const changed = seen.findIndex((one) => one !== before)
  // A look is several calls: the restore may come between two of them.
  const half = changed === -1 ? [] : seen.slice(changed + 1).filter((one) => one !== after)
  report({
    area: 'worlds',
    promise: `A restore of ${many} is seen as a whole or not at all`,
    test: 'test/hard/snapshot-whole.test.ts',
    figures: { looks: seen.length, half: half.length },
  })
  expect(after).not.toBe(before)
  expect(seen.length).toBeGreaterThan(5)
  expect(half).toEqual([])
})

test(`killed in a restore of ${many}, the world is whole or restored`, async () => {
  const template = aFolder()
  const argumentsIn = (folder: string) => ['--clock', 'manual', '--database', join(folder, 'e.db')]
  const stopped = async ({ child, exited }: Program, signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    await exited
  }
  const first = await startProgram(argumentsIn(template))
  const before = await worldAt(first.url)
  await stopped(first)
  const inACopy = async (killedAtMs?: number) => {
    const folder = aFolder()
    cpSync(template, folder, { recursive: true })
    const program = await startProgram(argumentsIn(folder))
    const begun = performance.now()
    let answeredMs = Number.POSITIVE_INFINITY
    const answer = putLarge(program.url).then((status) => {
      if (status !== null) answeredMs = performance.now() - begun
      return status
    })
    await (killedAtMs === undefined ? answer : Promise.race([answer, pause(killedAtMs)]))
    await stopped(program, 'SIGKILL')
    const next = await startProgram(argumentsIn(folder))
    const left = await worldAt(next.url)
    await stopped(next)
    return { answer: await answer, left, answeredMs }
  }
  const done = await inACopy()
  expect(done.answer).toBe(200)
  // Most of the time nothing is written yet: the kills come closer together towards the end.
  const kills: Awaited<ReturnType<typeof inACopy>>[] = []
  // The machine may have more time for one than for the first.
  let quickestMs = done.answeredMs
  for (const share of [0.3, 0.6, 0.8, 0.9, 0.95]) {
    const kill = await inACopy(quickestMs * share)
    kills.push(kill)
    quickestMs = Math.min(quickestMs, kill.answeredMs)
  }
  const half = kills.filter(({ left }) => left !== before && left !== done.left)
  report({
    area: 'crash',
    promise: `Killed in a restore of ${many}, the world is whole or restored`,
    test: 'test/hard/snapshot-whole.test.ts',
    figures: {
      kills: kills.filter(({ answer }) => answer === null).length,
      whole: kills.filter(({ left }) => left === before).length,
      restored: kills.filter(({ left }) => left === done.left).length,
      half: half.length,
    },
  })
  expect(half).toEqual([])
  expect(done.left).not.toBe(before)
  expect(kills.filter(({ answer }) => answer === null).length).toBeGreaterThan(1)
})
