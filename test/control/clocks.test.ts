import { expect, test } from 'vitest'
import { startFixture, startTestEmulator } from '../support/emulator.ts'
import { startReceiver } from '../support/receiver.ts'

test('each clock comes with what is due next on it: a step, a retry, then nothing', async () => {
  const receiver = await startReceiver()
  receiver.answerWith({}, { status: 500 }, {})
  const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url })
  const next = async () => (await emulator.control('/clocks?clientId=C1')).items[0]?.next
  expect(await next()).toBeNull()
  await c1.createCheckout('r1')
  await c1.settle()
  const { orderId, createdAt } = await c1.order('r1')
  expect(await next()).toEqual({
    dueAt: Number(createdAt) + 2_000,
    ...{ what: 'step', words: 'pay completed', orderId, requestId: 'r1', deliveryId: null },
  })
  await c1.advance('5s')
  expect(await next()).toMatchObject({ what: 'delivery', words: 'webhook COMPLETED, attempt 2', orderId })
  await c1.advance('1d')
  expect(await next()).toBeNull()
})

test('clocks are searched and come in pages', async () => {
  const emulator = await startTestEmulator()
  for (const clientId of ['shop-a', 'shop-b', 'other']) await emulator.addClient({ clientId })
  const first = await emulator.control('/clocks?search=SHOP&limit=1')
  expect(first.items).toMatchObject([{ clientId: 'shop-a', mode: 'manual', speed: 0, next: null }])
  const second = await emulator.control(`/clocks?search=SHOP&limit=1&cursor=${first.json.next}`)
  expect(second.items.map(({ clientId }) => clientId)).toEqual(['shop-b'])
  expect(second.json.next).toBeNull()
})

test('clients are found by a part of their name or of their webhook URL', async () => {
  const emulator = await startTestEmulator()
  await emulator.addClient({ clientId: 'shop-a', webhookUrl: 'http://127.0.0.1:9/first' })
  await emulator.addClient({ clientId: 'shop-b' })
  const found = async (search: string) =>
    (await emulator.control(`/clients?search=${search}`)).items.map(({ clientId }) => clientId)
  expect(await found('FIRST')).toEqual(['shop-a'])
  expect(await found('shop-')).toEqual(['shop-a', 'shop-b'])
  expect(await found('nobody')).toEqual([])
})
