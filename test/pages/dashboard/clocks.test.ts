import { expect, test } from 'vitest'
import { startFixture, startTestEmulator } from '../../support/emulator.ts'
import { openPage } from '../../support/page.ts'
import { startReceiver } from '../../support/receiver.ts'

const clocks = '/_emulator/ui/clocks'
const ofC1 = `${clocks}?clientId=C1`

test('every clock stands there with what is due next on it', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  await c1.settle()
  const page = await openPage(emulator, clocks)
  expect(page.wordsIn('clock-C1')).toMatch(
    /^C1 2026-04-21 16:00:00 manual pay completed of r1 2026-04-21 16:00:02 in 2 s Next event \(in 2 s\)/,
  )
  expect(page.wordsIn('clock-C2')).toMatch(/manual nothing$/)
  const { orderId } = await c1.order('r1')
  expect(page.links('pay completed')).toEqual([`/_emulator/ui/orders/${orderId}`])
})

test('an advance is told as a table of what changed, with links', async () => {
  const receiver = await startReceiver()
  const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url })
  await c1.createCheckout('r1')
  await c1.settle()
  const page = await (await openPage(emulator, ofC1)).submit('advance-10s')
  expect(page.words).toContain('The clock moved by 10 s: 2 changes of a status, 1 attempt to send a webhook.')
  expect(page.words).toMatch(/16:00:05 r1 order was CREATED COMPLETED .*r1 webhook COMPLETED accepted 200/)
  expect(page.words).toContain('Nothing else is due.')
  const [delivery] = (await c1.deliveries()).filter(({ body }) => JSON.stringify(body).includes('COMPLETED'))
  expect(page.links('r1')).toContain(`/_emulator/ui/deliveries/${delivery?.id}?clientId=C1`)
})

test.each([
  ['bar-next', {}, '2026-04-21T16:00:02.000Z'],
  ['run-until-idle', {}, '2026-04-21T16:00:05.000Z'],
  ['to-next-C1', {}, '2026-04-21T16:00:02.000Z'],
  ['bar-1d', {}, '2026-04-22T16:00:00.000Z'],
  ['advance-P7D', {}, '2026-04-28T16:00:00.000Z'],
  ['advance-P1M', {}, '2026-05-21T16:00:00.000Z'],
  ['advance-by', { 'text:by': 'PT90S' }, '2026-04-21T16:01:30.000Z'],
  ['advance-to', { 'text:to': '2026-05-01T00:00:00+02:00' }, '2026-04-30T22:00:00.000Z'],
])('%s with %j takes the client’s clock there, and no other', async (form, typed, expected) => {
  const { emulator, c1, c2 } = await startFixture()
  await c1.createCheckout('r1')
  await c1.settle()
  await (await openPage(emulator, ofC1)).submit(form, typed)
  expect(new Date(await c1.now()).toISOString()).toBe(expected)
  expect(new Date(await c2.now()).toISOString()).toBe('2026-04-21T16:00:00.000Z')
})

test('without a client all of them move, and none by a month', async () => {
  const { emulator, c1, c2 } = await startFixture()
  const page = await openPage(emulator, clocks)
  expect(page.html).not.toContain('advance-P1M')
  const after = await page.submit('bar-1h')
  expect(after.words).toContain('3 clocks moved by 1 h')
  expect(await c1.now()).toBe(await c2.now())
})

test('a clock is set going, and refused what it cannot do with what was typed still there', async () => {
  const { emulator } = await startFixture()
  const page = await openPage(emulator, ofC1)
  const back = await page.submit('advance-to', { 'text:to': '2020-01-01T00:00:00Z' })
  expect(back.words).toContain('A clock never goes back.')
  expect(back.form('advance-to').fields).toContainEqual(['text:to', '2020-01-01T00:00:00Z'])
  const set = await page.submit('set-clock', { 'text:mode': 'real', 'number:speed': '60' })
  expect(set.wordsIn('clock-C1')).toContain('60x')
  expect((await emulator.control('/clock?clientId=C1')).json).toMatchObject({ mode: 'real', speed: 60 })
})

test('where there are no orders, nothing is due and nothing is said to have happened', async () => {
  const emulator = await startTestEmulator()
  const page = await (await openPage(emulator, clocks)).submit('run-until-idle')
  expect(page.words).toContain('The time did not move: 0 changes of a status, 0 attempts to send a webhook.')
})

test('until nothing is due ends at its limit, where a subscription would go on for centuries', async () => {
  const { emulator } = await startFixture()
  await emulator.control('/orders', 'POST', { clientId: 'C1', kind: 'subscription', requestId: 's1' })
  const page = await openPage(emulator, ofC1)
  expect(page.form('run-until-idle').fields).toContainEqual(['number:limit', '100'])
  const after = await page.submit('run-until-idle', { 'number:limit': '4' })
  expect(after.words).toMatch(/Done\. .* Next due: /)
  const { items } = (await emulator.control('/orders?clientId=C1')).json
  expect(items).toHaveLength(3)
})

test('the clock of an emulator with one client is the one that is moved, by a month too', async () => {
  const emulator = await startTestEmulator()
  const page = await openPage(emulator, clocks)
  expect(page.form('set-clock').fields).toContainEqual(['text:mode', 'manual'])
  const after = await page.submit('advance-P1M')
  expect(after.wordsIn('clock-demo-client')).toContain('2026-05-21 16:00:00 manual')
})

test('webhooks that did not arrive are told as such', async () => {
  const receiver = await startReceiver()
  receiver.answerWith({ status: 500 })
  const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url })
  await c1.createCheckout('r1')
  await c1.settle()
  const page = await (await openPage(emulator, ofC1)).submit('advance-10s')
  expect(page.words).toMatch(/(\d+) attempts to send a webhook, \1 failed\./)
})

test('what is due of an id that an address would cut leads to its page', async () => {
  const emulator = await startTestEmulator()
  await emulator.control('/fixtures', 'POST', {
    clients: [{ clientId: 'odd', orders: [{ requestId: 'r1', orderId: 'w/?#1' }] }],
  })
  const page = await openPage(emulator, `${clocks}?clientId=odd`)
  const [words = ''] = /<a href="[^"]*w%2F%3F%231\?clientId=odd">([^<]*)/.exec(page.html)?.slice(1) ?? []
  expect((await page.follow(words)).words).toContain('Order r1')
})
