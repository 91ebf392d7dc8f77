import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { claim } from '../store/conformance/given.ts'
import {
  aChange,
  aClient,
  aDecision,
  aDelivery,
  anEntry,
  anOrder,
  aResult,
  several,
  shop,
} from '../store/factories.ts'
import { startReceiver } from '../support/receiver.ts'
import { report } from './support/figures.ts'
import { fastLives } from './support/lives.ts'
import { aFolder, connect, create } from './support/load.ts'
import { startProgram } from './support/program.ts'
import { sized } from './support/size.ts'

const minutes = sized({ whole: 60, part: 6 })
const mebibyte = 2 ** 20
/** The log is rewritten after about 31 MiB. One large transaction on top is no steady load. */
const bound = 48 * mebibyte

/** The largest that the write-ahead log of a database ever was when it was looked at. */
function watching(database: string) {
  let largest = 0
  return {
    look: () => {
      largest = Math.max(largest, statSync(`${database}-wal`).size)
    },
    largestMiB: () => Number((largest / mebibyte).toFixed(1)),
    isBounded: () => largest <= bound,
  }
}

test.each([
  ['without a pause', Number.POSITIVE_INFINITY],
  ['looked after after every tenth commit', 10],
])(`the write-ahead log stays bounded over ${minutes} minutes of commits, %s`, async (how, commitsATidy) => {
  const commits = minutes * 60 * 20
  const file = join(aFolder(), 'emulator.db')
  const store = await openSqliteStore({ file, durable: false })
  onTestFinished(() => store.close())
  const generation = await store.createClient(aClient({ clientId: shop }))
  const log = watching(file)
  const keep = { all: 1_000, each: 1_000, bytes: 8 * mebibyte }
  for (let done = 0; done < commits; done += 4) {
    const order = anOrder()
    const event = aDelivery({ orderId: order.orderId, requestId: order.requestId })
    await store.commit(aDecision(order, { events: [event] }), generation)
    await claim(store)
    const end = { deliveryId: event.id, clientId: shop, generation, attempt: 1, result: aResult() }
    await store.finishAttempt(end)
    await store.commit(aChange(order, { orderStatus: 'COMPLETED' }), generation)
    if (done % 100 === 0)
      await store.appendRequests(
        several(20, () => anEntry()),
        keep,
      )
    if (done % commitsATidy < 4) await store.tidy()
    if (done % 400 === 0) log.look()
  }
  report({
    area: 'load',
    promise: `The write-ahead log stays bounded, ${how}`,
    test: 'test/hard/log-bound.test.ts',
    figures: { commits, 'largest log (MiB)': log.largestMiB() },
  })
  expect(log.isBounded(), `${log.largestMiB()} MiB`).toBe(true)
})

test(`the write-ahead log of a program stays bounded over ${minutes} minutes of 8 orders a second`, async () => {
  const orders = minutes * 60 * 8
  const receiver = await startReceiver()
  const database = join(aFolder(), 'emulator.db')
  const args = [...fastLives, '--database', database, '--webhook-url', receiver.url]
  const { url } = await startProgram(args, { stderr: 'ignore' })
  const pool = connect(url, 32)
  const log = watching(database)
  let next = 0
  const caller = async () => {
    for (let n = next++; n < orders; n = next++) {
      expect(await create(pool, `r${n}`)).toBe(200)
      if (n % 100 === 0) log.look()
    }
  }
  await Promise.all(Array.from({ length: 32 }, caller))
  report({
    area: 'load',
    promise: 'The write-ahead log of a program stays bounded',
    test: 'test/hard/log-bound.test.ts',
    figures: { orders, 'largest log (MiB)': log.largestMiB() },
  })
  expect(log.isBounded(), `${log.largestMiB()} MiB`).toBe(true)
})
