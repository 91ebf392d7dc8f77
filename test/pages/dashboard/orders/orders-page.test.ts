import { expect, test } from 'vitest'
import { isObject } from '../../../support/answer.ts'
import { TestClient } from '../../../support/client.ts'
import { startTestEmulator, type TestEmulator } from '../../../support/emulator.ts'
import { openPage } from '../../../support/page.ts'

const home = '/_emulator/ui/orders'
const make = (emulator: TestEmulator, order: object) =>
  emulator.control('/orders', 'POST', { clientId: 'demo-client', ...order })
const withClient = async () => {
  const emulator = await startTestEmulator()
  const { json } = await emulator.control('/clients/demo-client')
  const { apiSecret, accessToken, webhookSecret } = json
  const client = new TestClient(emulator, {
    clientId: 'demo-client',
    apiSecret: String(apiSecret),
    accessToken: String(accessToken),
    webhookSecret: String(webhookSecret),
  })
  return { emulator, client }
}
/** The requestIds in the list, from the top. */
const listed = (html: string) =>
  [...html.matchAll(/<a class="id" title="([^"]*)"/g)].map(([, requestId]) => requestId)

test('who has no orders gets a signed call that works when it is sent', async () => {
  const { emulator } = await withClient()
  const [, command = ''] = /<code>(curl -sS.*?)<\/code>/s.exec((await openPage(emulator, home)).html) ?? []
  const text = command.replaceAll('&#39;', "'").replaceAll('&quot;', '"')
  const headers = Object.fromEntries(
    [...text.matchAll(/-H '([^:]*): ([^']*)'/g)].map(([, name = '', value = '']) => [
      name.toLowerCase(),
      value,
    ]),
  )
  const [, url = '', body = ''] = /'(http[^']*)'.*-d '([^']*)'/s.exec(text) ?? []
  expect(url).toContain(emulator.url)
  const answer = await emulator.send(url.slice(emulator.url.length), { method: 'POST', headers, body })
  expect(answer.status).toBe(200)
})

test('other credentials than the printed ones are folded away', async () => {
  const { emulator, client } = await withClient()
  expect((await openPage(emulator, home)).html).not.toContain('id="first-credentials"')
  await client.change({ apiSecret: 'a-secret-of-ours' })
  const page = await openPage(emulator, home)
  expect(page.wordsIn('first-credentials')).toContain('a-secret-of-ours')
  expect(page.wordsIn('first-curl')).toContain('demo-token')
  expect(page.html.split('a-secret-of-ours')).toHaveLength(2)
  expect(page.html.split('demo-token')).toHaveLength(3)
})

test('who has only refused calls is told where the reasons are', async () => {
  const { emulator, client } = await withClient()
  expect((await openPage(emulator, home)).words).not.toContain('refused')
  await client.fiatOrders('r1')
  expect((await openPage(emulator, home)).words).not.toContain('refused')
  await emulator.send('/v1/client/orders?requestId=r1', { method: 'GET' })
  const page = await openPage(emulator, home)
  expect(page.words).toContain('One call was rejected.')
  expect((await page.follow('See why')).words).toContain('401')
})

test('the signed call has another requestId each time', async () => {
  const { emulator } = await withClient()
  const requestIdOn = async () => /first-[0-9a-f]{8}/.exec((await openPage(emulator, home)).html)?.[0]
  const first = await requestIdOn()
  expect(first).toBeDefined()
  expect(await requestIdOn()).not.toBe(first)
})

test('the signed call is signed in the form that the settings ask for', async () => {
  const { emulator, client } = await withClient()
  await client.change({ settings: { 'signature.checkout': 'with-currency' } })
  const { html } = await openPage(emulator, home)
  const [requestId] = /first-[0-9a-f]{8}/.exec(html) ?? []
  const right = client.sign(`currencyId=usd_us&fiatAmount=10.00&requestId=${requestId}`)
  expect(html).toContain(`signature: ${right}`)
})

test('the first order is one button away', async () => {
  const { emulator } = await withClient()
  const page = await (await openPage(emulator, home)).submit('first-order')
  expect(page.words).toContain('Done. POST /_emulator/orders answered 201.')
  expect((await emulator.control('/orders')).items).toHaveLength(1)
  expect(page.words).not.toContain('No orders yet')
})

test('without a client the first step is to make one', async () => {
  const emulator = await startTestEmulator()
  await emulator.control('/clients/demo-client', 'DELETE')
  await (await openPage(emulator, home)).submit('first-client')
  expect((await openPage(emulator, home)).words).toContain('Paste this into a terminal')
})

test('the webhook URL can be set before there is any order', async () => {
  const { emulator } = await withClient()
  const url = 'http://127.0.0.1:9/webhooks'
  const page = await (await openPage(emulator, home)).submit('url-demo-client', { 'text:webhookUrl': url })
  expect(page.words).toContain(`Webhooks go to ${url}`)
})

test('orders stand newest first, each with a link to its page', async () => {
  const { emulator } = await withClient()
  await make(emulator, { requestId: 'r1' })
  await make(emulator, { requestId: 'r2' })
  const page = await openPage(emulator, home)
  expect(listed(page.html)).toEqual(['r2', 'r1'])
  expect((await page.follow('r1')).words).toContain('Order r1')
})

test.each([
  ['status=FAILED', ['failed']],
  ['kind=payout', ['payout']],
  ['scenario=fail-9004', ['failed']],
  ['search=ANNA', ['annas']],
  ['search=fail&status=CREATED', []],
])('%s narrows the list to %j', async (query, requestIds) => {
  const { emulator } = await withClient()
  await make(emulator, { requestId: 'failed', scenario: 'fail-9004' })
  await emulator.control('/clock/advance', 'POST', { by: '1m' })
  await make(emulator, { requestId: 'payout', kind: 'payout' })
  await make(emulator, { requestId: 'annas', email: 'anna@example.com' })
  const page = await openPage(emulator, `${home}?${query}`)
  expect(listed(page.html)).toEqual(requestIds)
  if (requestIds.length === 0) expect(page.links('Show all orders')).toEqual([home])
})

test('what was filtered for stands in the form again', async () => {
  const { emulator } = await withClient()
  const page = await openPage(emulator, `${home}?search=%22%3E&status=ODD&kind=payout&clientId=demo-client`)
  expect(Object.fromEntries(page.form('filters').fields)).toEqual({
    ...{ clientId: 'demo-client', search: '">', status: 'ODD', kind: 'payout', scenario: '' },
  })
})

test('pages follow one another by key, and keep the filter and the client', async () => {
  const { emulator } = await withClient()
  for (let n = 0; n < 53; n += 1) await make(emulator, { requestId: `r${n}` })
  const first = await openPage(emulator, `${home}?clientId=demo-client&kind=checkout`)
  expect(listed(first.html)).toHaveLength(50)
  const second = await first.follow('Older')
  expect(listed(second.html)).toEqual(['r2', 'r1', 'r0'])
  expect(second.words).toContain('That is all.')
  expect((await second.follow('Newest')).path).toBe(`${home}?clientId=demo-client&kind=checkout`)
})

test('the form for a new order makes what was typed, and nothing that was not', async () => {
  const { emulator } = await withClient()
  await make(emulator, {})
  await (await openPage(emulator, home)).submit('new-order-form', {
    'text:kind': 'crypto-payin',
    'text:scenario': 'crypto-payin',
    'text:fiatAmount': '12.50',
  })
  const [order] = (await emulator.control('/orders?kind=crypto-payin')).items
  expect(order).toMatchObject({ fiatAmount: '12.50', email: 'payer@example.com', clientId: 'demo-client' })
  expect(isObject(order?.scenario) && order.scenario.id).toBe('crypto-payin')
})

test('a refused new order says why, and keeps what was typed', async () => {
  const { emulator } = await withClient()
  await make(emulator, {})
  const page = await (await openPage(emulator, home)).submit('new-order-form', { 'text:fiatAmount': '1.234' })
  expect(page.words).toContain('must be an amount with at most two decimals')
  expect(Object.fromEntries(page.form('new-order-form').fields)).toMatchObject({ 'text:fiatAmount': '1.234' })
})

test('with several clients the new order asks whose it is', async () => {
  const { emulator } = await withClient()
  await emulator.addClient({ clientId: 'other' })
  await make(emulator, {})
  await (await openPage(emulator, home)).submit('new-order-form', { 'text:clientId': 'other' })
  expect((await emulator.control('/orders?clientId=other')).items).toHaveLength(1)
})

test('users lead to their orders', async () => {
  const { emulator } = await withClient()
  await make(emulator, { requestId: 'r1', email: 'anna@example.com' })
  await make(emulator, { requestId: 'r2', email: 'anna@example.com' })
  await make(emulator, { requestId: 'r3', email: 'bert@example.com' })
  const users = await openPage(emulator, '/_emulator/ui/users')
  expect(listed((await users.follow('2')).html)).toEqual(['r2', 'r1'])
})

test('somebody known by a userId leads to the orders of all their addresses', async () => {
  const { emulator } = await withClient()
  await make(emulator, { requestId: 'r1', userId: 'user-7', email: 'anna@example.com' })
  await make(emulator, { requestId: 'r2', userId: 'user-7', email: 'anna@example.org' })
  const users = await openPage(emulator, '/_emulator/ui/users')
  expect(listed((await users.follow('2')).html)).toEqual(['r2', 'r1'])
})

test('without users the page says where they come from', async () => {
  const { emulator } = await withClient()
  expect((await openPage(emulator, '/_emulator/ui/users?clientId=demo-client')).words).toContain(
    'Users appear with their orders.',
  )
})

test.each(['kind=zzz', 'cursor=zzz', `search=${'x'.repeat(1_001)}`])(
  'a filter that can have nothing says so in the place of the list: %s',
  async (query) => {
    const { emulator } = await withClient()
    const page = await openPage(emulator, `${home}?${query}`)
    expect(page.status).toBe(200)
    expect(page.form('filters').fields.length).toBeGreaterThan(3)
    expect(page.html).toContain('class="empty wrong"')
  },
)

test('a user’s orders are theirs, not those of everybody whose address ends like theirs', async () => {
  const { emulator } = await withClient()
  await make(emulator, { requestId: 'r1', email: 'a@example.com' })
  await make(emulator, { requestId: 'r2', email: 'xa@example.com' })
  const users = await openPage(emulator, '/_emulator/ui/users')
  const [, href = ''] = /a href="([^"]*email=a[^"]*)"/.exec(users.html) ?? []
  const page = await openPage(emulator, href.replaceAll('&amp;', '&'))
  expect(listed(page.html)).toEqual(['r1'])
  expect(page.form('filters').fields).toContainEqual(['email', 'a@example.com'])
})

test('who makes an order is led to it', async () => {
  const { emulator } = await withClient()
  await make(emulator, { requestId: 'r1' })
  const page = await (await openPage(emulator, home)).submit('new-order-form')
  const [made] = listed(page.html)
  expect(page.wordsIn('note')).toContain(`Order ${made} was made.`)
  expect((await page.follow(made ?? '')).words).toContain(`Order ${made}`)
})

test('each order has a small time line with its present, and no point of it leads out of the list', async () => {
  const { emulator } = await withClient()
  await make(emulator, { requestId: 'r1' })
  await make(emulator, { requestId: 'r2', scenario: 'fail-9004' })
  const { html } = await openPage(emulator, home)
  const pictures = [...html.matchAll(/<svg class="time-line-small.*?<\/svg>/gs)].map(([svg]) => svg)
  expect(pictures).toHaveLength(2)
  expect(pictures[1]).toContain(
    'aria-label="Time line: created, pay completed (to come), order COMPLETED (to come)',
  )
  for (const svg of pictures) expect(svg).toContain('class="now"')
  expect(pictures.join('')).not.toContain('<a ')
})
