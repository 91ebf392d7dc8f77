import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectEmulator, startEmulator } from '../../src/index.ts'
import { readRecord } from '../../src/sweep/run-record.ts'
import { startTestEmulator } from '../support/emulator.ts'
import { aFolder } from '../support/folder.ts'

/** Has this process be a suite that a sweep runs. @returns the file of its record */
function underSweep(...behaviours: readonly string[]): string {
  const folder = aFolder()
  const [order, record] = [join(folder, 'order.json'), join(folder, 'record.jsonl')]
  writeFileSync(order, JSON.stringify({ behaviours, record, seed: 'a' }))
  process.env.EMULATOR_SWEEP = order
  onTestFinished(() => {
    delete process.env.EMULATOR_SWEEP
  })
  return record
}

test.each([{ listen: false }, {}])('startEmulator(%j) plays the behaviours of a sweep', async (options) => {
  const record = underSweep('webhook-twice')
  const emulator = await startEmulator({ ...options, clock: 'manual' })
  onTestFinished(() => emulator.close())
  const client = await emulator.createClient()
  const inbox = await emulator.webhookInbox(client)
  await client.createCheckoutOrder()
  await client.clock.advance('10s')
  const statuses = inbox.webhooks.map(({ event }) => event.orderStatus)
  expect(statuses).toEqual(['CREATED', 'CREATED', 'COMPLETED', 'COMPLETED'])
  expect(readRecord(readFileSync(record, 'utf8')).strikes).toEqual(new Map([['webhook-twice', 2]]))
})

test('connectEmulator has an emulator that runs elsewhere play them, and tells the sweep where it is', async () => {
  const record = underSweep('lookup-503')
  const elsewhere = await startTestEmulator()
  const emulator = await connectEmulator(elsewhere.url)
  onTestFinished(() => emulator.close())
  const client = await emulator.createClient()
  const { requestId } = await client.createCheckoutOrder()
  await expect(client.fiatOrders(requestId)).rejects.toThrow('503')
  const [line] = readFileSync(record, 'utf8').trim().split('\n')
  expect(JSON.parse(line ?? '')).toMatchObject({ connected: elsewhere.url, controlToken: null })
  const { json } = await elsewhere.control('/sweep')
  expect(json).toMatchObject({ behaviours: ['lookup-503'], recording: true })
  expect(json.record).toContainEqual(expect.objectContaining({ struck: 'lookup-503', requestId }))
  await elsewhere.control('/sweep', 'DELETE')
  expect((await elsewhere.control('/sweep')).json).toEqual({ behaviours: [], recording: false, record: [] })
})

test.each([
  [
    '{ "behaviours": ["no-such"], "record": "r", "seed": "a" }',
    /names the behaviour "no-such", which does not exist/,
  ],
  ['{ "behaviours": "all" }', /behaviours/],
  ['nonsense', /JSON/],
])('an order %j is refused in words, and nothing is left running', async (text, words) => {
  const order = join(aFolder(), 'order.json')
  writeFileSync(order, text)
  process.env.EMULATOR_SWEEP = order
  onTestFinished(() => {
    delete process.env.EMULATOR_SWEEP
  })
  await expect(startEmulator({ listen: false })).rejects.toThrow(words)
})
