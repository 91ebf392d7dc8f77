import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startFixture, startTestEmulator, type TestEmulator } from '../support/emulator.ts'
import { aFolder } from '../support/folder.ts'
import { startReceiver } from '../support/receiver.ts'
import { draftOf, firstOf, putSnapshot, restore, snapshotOf } from '../support/snapshot.ts'

/** Starts an advance and does not wait for it. */
function advance(emulator: TestEmulator, by: string) {
  const headers = { 'content-type': 'application/json' }
  return emulator.send('/_emulator/clock/advance?clientId=C1', { method: 'POST', headers, body: { by } })
}

test.each([
  ['everything', ''],
  ['one client', '?clientId=C1'],
])('a restore of %s during an advance brings the clock back, in the file too', async (_, query) => {
  const receiver = await startReceiver()
  receiver.answerWith('hang')
  const database = join(aFolder(), 'emulator.db')
  const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url }, { database })
  const then = await c1.now()
  const snapshot = await snapshotOf(emulator)
  await c1.advance('5h')
  await c1.createCheckout('r1')
  const walk = advance(emulator, '10d')
  await receiver.received(1)
  await restore(emulator, snapshot, query)
  expect((await walk).status).toBeGreaterThanOrEqual(400)
  expect(await c1.now()).toBe(then)
  await emulator.close()
  const again = await startTestEmulator({ database })
  expect((await again.control('/clients/C1')).json.clock).toMatchObject({ now: then })
})

test.each([
  ['everything', ''],
  ['one client', '?clientId=C1'],
])('what is created during a restore of %s is wholly of the new world, or not there', async (_, query) => {
  const { emulator, c1 } = await startFixture()
  const then = await c1.now()
  const snapshot = await snapshotOf(emulator)
  for (let round = 0; round < 3; round++) {
    await c1.advance('3d')
    let over = false
    const caller = async (name: string) => {
      for (let n = 0; !over; n++) await c1.createCheckout(`r${round}-${name}-${n}`)
    }
    const callers = [caller('a'), caller('b'), caller('c')]
    await restore(emulator, snapshot, query)
    over = true
    await Promise.all(callers)
    expect(await c1.now(), 'the clock').toBe(then)
    const { items } = await emulator.control('/orders?limit=1000')
    for (const order of items) expect(order).toMatchObject({ createdAt: then })
  }
})

test('snapshots that are taken during a restore turn no clock', async () => {
  const database = join(aFolder(), 'emulator.db')
  const { emulator, c1 } = await startFixture({}, { database })
  const then = await c1.now()
  const snapshot = await snapshotOf(emulator)
  await c1.advance('5h')
  const restored = restore(emulator, snapshot)
  const taken = Array.from({ length: 20 }, () => snapshotOf(emulator, '?clientId=C1'))
  await Promise.all([restored, ...taken])
  expect(await c1.now()).toBe(then)
  await emulator.close()
  const again = await startTestEmulator({ database })
  expect((await again.control('/clients/C1')).json.clock).toMatchObject({ now: then })
})

test('a restore that is refused ends no wait and no advance', async () => {
  const receiver = await startReceiver()
  const answered = Promise.withResolvers<void>()
  receiver.answerWith({ after: answered.promise }, {})
  const { emulator, c1, c2 } = await startFixture({ webhookUrl: receiver.url })
  await c1.createCheckout('taken')
  const draft = draftOf(await snapshotOf(emulator, '?clientId=C1'))
  await c2.createCheckout('theirs')
  const theirs = draftOf(await snapshotOf(emulator, '?clientId=C2'))
  const { orderId } = firstOf(theirs.orders).order
  const { order, deliveries } = firstOf(draft.orders)
  for (const one of [order, ...deliveries]) one.orderId = orderId
  const wait = emulator.control('/wait?clientId=C1', 'POST', { for: 'order', where: { requestId: 'r1' } })
  const walk = advance(emulator, '1m')
  await receiver.received(1)
  const refused = await putSnapshot(emulator, draft, '?clientId=C1')
  expect(refused.json).toMatchObject({ error: { code: 'snapshot_taken' } })
  answered.resolve()
  expect((await walk).status).toBe(200)
  await c1.createCheckout('r1')
  expect((await wait).json).toMatchObject({ requestId: 'r1' })
})

test('a token that was given out and is another client’s own now is taken', async () => {
  const { emulator, c1 } = await startFixture()
  const accessToken = await c1.issueToken()
  const snapshot = await snapshotOf(emulator)
  await emulator.control('/clients/C1', 'DELETE')
  await emulator.addClient({ clientId: 'thief', accessToken })
  const answer = await putSnapshot(emulator, snapshot, '?clientId=C1')
  expect(answer.json).toMatchObject({ error: { code: 'snapshot_taken' } })
})
