import { expect, test } from 'vitest'
import { startFixture, startTestEmulator } from '../../support/emulator.ts'
import { cookieIn, openPage } from '../../support/page.ts'
import { startReceiver } from '../../support/receiver.ts'

test('numbers lead to the lists of what they count', async () => {
  const receiver = await startReceiver()
  receiver.answerWith({ status: 500 })
  const { emulator, c1, c2 } = await startFixture({ webhookUrl: receiver.url })
  await c1.createCheckout('r1')
  await c1.settle()
  await c2.createCheckout('r2', { signed: 'something else' })
  const page = await openPage(emulator, '/_emulator/')
  expect((await page.follow('1 CREATED')).words).toContain('r1')
  expect((await page.follow('1 pending')).path).toBe('/_emulator/ui/deliveries?status=pending')
  expect((await page.follow('signature.wrong')).words).toContain('r2')
  expect(page.words).toMatch(/Due next in \d+ s webhook CREATED, attempt 2 r1 C1/)
  expect(page.words).toMatch(/0 % accepted: 0 of 1 .*Failed last .* CREATED r1 refused 500 /)
  expect((await page.follow('CREATED')).path).toMatch(/^\/_emulator\/ui\/deliveries\/del_/)
})

test('a selected client shows its own figures alone', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  await c1.advance('10s')
  const page = await openPage(emulator, '/_emulator/?clientId=C2')
  expect(page.words).toMatch(
    /Orders 0 No orders yet\. Webhooks 0 No webhooks yet\. Due next Nothing is due\./,
  )
  expect((await openPage(emulator, '/_emulator/?clientId=C1')).words).toMatch(/Orders 1 1 COMPLETED/)
})

test('a new user finds the first steps there', async () => {
  const page = await openPage(await startTestEmulator(), '/_emulator/')
  expect(page.words).toContain('Point your application at this emulator')
})

test('a status that a scenario has invented leads to its orders as well', async () => {
  const { emulator } = await startFixture()
  const odd = `<b>"'&?#%`
  await emulator.control('/fixtures', 'POST', {
    clients: [{ clientId: 'odd', orders: [{ requestId: 'r1', status: odd }] }],
  })
  const page = await openPage(emulator, '/_emulator/?clientId=odd')
  expect((await page.follow(`1 ${odd}`)).words).toContain('r1')
})

test('red numbers count what failed since the lists were last looked at', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1', { signed: 'something else' })
  const before = await openPage(emulator, '/_emulator/ui/clocks')
  expect(before.wordsIn('places')).toContain('Requests 1 failed')
  const list = await openPage(emulator, '/_emulator/ui/requests')
  const cookie = cookieIn(list.headers)
  expect((await openPage(emulator, '/_emulator/ui/clocks', cookie)).wordsIn('places')).not.toContain('failed')
  await expect.poll(() => Date.now()).toBeGreaterThan(Number(cookie.split('=')[1]))
  await c1.createCheckout('r2', { signed: 'something else' })
  const after = await openPage(emulator, '/_emulator/ui/clocks', cookie)
  expect(after.wordsIn('places')).toContain('Requests 1 failed')
})

test('a cookie that nobody has set counts as none', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1', { signed: 'something else' })
  const [name = ''] = cookieIn((await openPage(emulator, '/_emulator/ui/requests')).headers).split('=')
  for (const value of ['x', '-1', '9'.repeat(99), '%00'])
    expect((await openPage(emulator, '/_emulator/', `${name}=${value}`)).wordsIn('places'), value).toContain(
      'Requests 1 failed',
    )
})
