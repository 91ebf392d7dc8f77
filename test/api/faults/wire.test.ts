import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestEmulator } from '../../support/emulator.ts'
import { expectOrderExists, expectStatus } from '../../support/expect.ts'
import { aFolder } from '../../support/folder.ts'
import { rawCreate, rawLookup } from '../../support/raw-call.ts'
import { faultNotes, given, untilHeld, untilStored } from './given.ts'

test.each(['before', 'stored'])('a connection is reset, with the order as `when: %s` says', async (when) => {
  const { emulator, client } = await given(
    `[{ on: create-order, when: ${when}, effect: { reset: true }, times: 1 }]`,
  )
  expect(await rawCreate(emulator, client, 'r1').end()).toEqual({ ending: 'ECONNRESET', text: '' })
  expect((await client.fiatOrders('r1')).data).toHaveLength(when === 'stored' ? 1 : 0)
})

test('the webhook of an order whose create call was reset comes at once', async () => {
  const { emulator, client, receiver } = await given(
    '[{ on: create-order, when: stored, effect: { reset: true } }]',
  )
  await rawCreate(emulator, client, 'r1').end()
  await client.settle()
  expect(receiver.requests).toHaveLength(1)
})

test('an answer is cut: it announces its whole length, and half of it comes', async () => {
  const context = await given('[{ on: orders, when: stored, effect: { cut: true }, times: 1 }]')
  const { emulator, client } = context
  await client.createCheckout('r1')
  const { ending, text } = await rawLookup(emulator, client, 'r1').end()
  const whole = (await client.fiatOrders('r1')).text
  const [head = '', body] = text.split('\r\n\r\n')
  expect(ending).toBe('end')
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(head.toLowerCase()).toContain(`content-length: ${whole.length}`)
  expect(head).toContain('emulator-request-id: req_')
  expect(body).toBe(whole.slice(0, Math.floor(whole.length / 2)))
  const { items } = await emulator.control('/requests?requestId=r1&operation=orders')
  expect(items[0]).toMatchObject({ status: 200, response: body })
  expect(await faultNotes(context)).toEqual([
    'fault: orders stored, cut after half the body (scenario faulty, 1 of 1)',
  ])
})

test('an error is cut too', async () => {
  const { emulator, client } = await given('[{ on: create-order, effect: { status: 500, cut: true } }]')
  const { ending, text } = await rawCreate(emulator, client, 'r1').end()
  expect(ending).toBe('end')
  expect(text).toMatch(/^HTTP\/1\.1 500 .*\r\n\r\n\{"error":"Intern$/s)
})

test('a call hangs without an answer, and is closed when its time has come', async () => {
  const context = await given('[{ on: create-order, when: stored, effect: { hang: 60s }, times: 1 }]')
  const { emulator, client, receiver } = context
  const call = rawCreate(emulator, client, 'r1')
  let ended = false
  void call.end().then(() => {
    ended = true
  })
  await untilStored(context, 'r1')
  await client.advance('59s')
  expect({ ended, webhooks: receiver.requests.length }).toEqual({ ended: false, webhooks: 0 })
  expectOrderExists(await client.createCheckout('r1'))
  await client.advance('1s')
  expect(receiver.requests).toHaveLength(1)
  expect(await call.end()).toEqual({ ending: 'end', text: '' })
  expect(await faultNotes(context)).toEqual([
    'fault: create-order stored, no answer, closed after 1m (scenario faulty, 1 of 1)',
  ])
})

test('a call that hangs for ever ends when its caller goes', async () => {
  const context = await given('[{ on: create-order, when: stored, effect: { hang: forever } }]')
  const { emulator, client, receiver } = context
  const call = rawCreate(emulator, client, 'r1')
  await untilStored(context, 'r1')
  await client.advance('400d')
  expect({ text: call.text, webhooks: receiver.requests.length }).toEqual({ text: '', webhooks: 0 })
  call.leave()
  await receiver.received(1)
})

test('a stop cuts what is held and what hangs, and the webhook that waited comes', async () => {
  const database = join(aFolder(), 'db')
  const context = await given(
    '[{ on: create-order, when: stored, effect: { hang: forever }, times: 1 }, { on: orders, effect: { delay: 1h } }]',
    { config: { drainMs: 5_000, database } },
  )
  const { emulator, client } = context
  const hanging = rawCreate(emulator, client, 'r1')
  await untilStored(context, 'r1')
  const held = rawLookup(emulator, client, 'r1')
  await untilHeld(context)
  const begun = performance.now()
  await emulator.close()
  expect(performance.now() - begun).toBeLessThan(2_000)
  for (const call of [hanging, held]) expect(await call.end()).toEqual({ ending: 'end', text: '' })
  await startTestEmulator({ database })
  await context.receiver.received(1)
})

test('a reset of the world cuts what is held', async () => {
  const context = await given('[{ on: orders, effect: { delay: 1h } }]')
  const { emulator, client } = context
  await client.createCheckout('r1')
  const held = rawLookup(emulator, client, 'r1')
  await untilHeld(context)
  await emulator.control('/reset', 'POST', { keep: ['clients'] })
  expect(await held.end()).toEqual({ ending: 'end', text: '' })
})

test('a connection serves on after an answer that was a fault', async () => {
  const { emulator, client } = await given('[{ on: create-order, effect: { status: 503 }, times: 1 }]')
  const call = rawCreate(emulator, client, 'r1')
  await call.answered
  expect(call.text).toMatch(/^HTTP\/1\.1 503 /)
  expect(call.text.toLowerCase()).not.toContain('connection: close')
  expectStatus(await client.createCheckout('r1'), 200)
})
