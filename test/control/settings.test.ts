import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { settingNames } from '../../src/domain/choices/settings.ts'
import { paths } from '../support/client.ts'
import { startFixture, startTestEmulator, type TestEmulator } from '../support/emulator.ts'
import { aFolder } from '../support/folder.ts'
import { startReceiver } from '../support/receiver.ts'

const patch = (emulator: TestEmulator, body: object, query = '') =>
  emulator.send(`/_emulator/settings${query}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body,
  })

test('the settings are shown with the value that holds for each, and where it was set', async () => {
  const { emulator } = await startFixture(
    { settings: { 'orders.expiry': '5m' } },
    { settings: { 'signature.checkout': 'short', 'orders.expiry': '1h' } },
  )
  await emulator.control('/settings', 'PATCH', { responses: { urlField: 'payUrl' } })
  const shared = (await emulator.control('/settings')).json
  expect(shared.settings).toEqual({ 'responses.urlField': 'payUrl' })
  expect(Object.keys(Object(shared.effective))).toEqual(settingNames)
  expect(shared.effective).toMatchObject({ 'orders.expiry': '1h', 'time.offset': '+00:00' })
  expect(shared.from).toEqual({
    'signature.checkout': 'start',
    'orders.expiry': 'start',
    'responses.urlField': 'common',
  })
  const own = (await emulator.control('/settings?clientId=C1')).json
  expect(own.settings).toEqual({ 'orders.expiry': '5m' })
  expect(own.effective).toMatchObject({ 'orders.expiry': '5m', 'signature.checkout': 'short' })
  expect(own.from).toMatchObject({ 'orders.expiry': 'client', 'responses.urlField': 'common' })
})

test('common settings hold at once for all clients, those of one client for it alone', async () => {
  const { emulator, c1, c2 } = await startFixture()
  await patch(emulator, { 'errors.validationStatus': 422 })
  expect((await c1.createCheckout({})).status).toBe(422)
  await patch(emulator, { 'errors.validationStatus': 418 }, '?clientId=C1')
  expect((await c1.createCheckout({})).status).toBe(418)
  expect((await c2.createCheckout({})).status).toBe(422)
  const { items } = await emulator.control('/choices?clientId=C1')
  expect(JSON.stringify(items.find(({ n }) => n === 'N28'))).toContain('"value":418')
})

test('null takes a setting away, and what lies below holds again', async () => {
  const emulator = await startTestEmulator({ settings: { 'orders.expiry': '1h' } })
  await patch(emulator, { 'orders.expiry': '2h', webhook: { retry: { max: 3 } } })
  const answer = await patch(emulator, { 'orders.expiry': null, webhook: { retry: null } })
  expect(answer.json).toMatchObject({ settings: {}, effective: { 'orders.expiry': '1h' } })
  expect(answer.json.from).toEqual({ 'orders.expiry': 'start' })
})

test('a webhook that is due later is sent under the settings of then', async () => {
  const receiver = await startReceiver()
  const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url })
  await c1.createCheckout('r1')
  await patch(emulator, { 'webhook.format': 'envelope' })
  await c1.advance('1m')
  expect(receiver.requests.at(-1)?.json).toMatchObject({ data: { orderStatus: 'COMPLETED' } })
})

describe('what is fixed at other servers’ start changes here at run time', () => {
  test('which webhook-url path there is (N22)', async () => {
    const { emulator, c1 } = await startFixture()
    const url = 'http://127.0.0.1:9/x'
    await patch(emulator, { 'paths.webhookUrl': 'fiat' })
    expect((await c1.setWebhookUrl(url)).status).toBe(404)
    expect((await c1.setWebhookUrl(url, {}, paths.fiatWebhookUrl)).status).toBe(200)
    await patch(emulator, { 'paths.webhookUrl': null })
    expect((await c1.setWebhookUrl(url)).status).toBe(200)
  })

  test('where the operator’s token route is (N64a)', async () => {
    const { emulator, c1 } = await startFixture()
    const body = { clientId: c1.clientId, apiSecret: c1.apiSecret }
    const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    expect((await emulator.send('/oauth/token', request)).status).toBe(404)
    await patch(emulator, { 'auth.tokenRoute': { path: '/oauth/token', accessTokenField: 'access_token' } })
    expect((await emulator.send('/oauth/token', request)).json).toHaveProperty('access_token')
    await patch(emulator, { 'auth.tokenRoute': null })
    expect((await emulator.send('/oauth/token', request)).status).toBe(404)
  })

  test('under which address payment pages are (N8)', async () => {
    const { emulator, c1 } = await startFixture()
    await patch(emulator, { publicBaseUrl: 'https://pay.example.com' })
    const answer = await c1.createCheckout(c1.checkout('r1', { mode: 'returnUrl', callbackUrl: 'a:b' }))
    expect(String(answer.json.url)).toMatch(/^https:\/\/pay\.example\.com\/pay\//)
  })
})

describe('settings are refused, and nothing changes:', () => {
  test.each([
    ['an unknown one', '', { 'signature.chekout': 'short' }, 'signature.checkout'],
    ['an unknown one in a group', '', { webhook: { frmat: 'jwt' } }, 'webhook.format'],
    ['a wrong value', '', { 'errors.validationStatus': 'no' }, 'errors.validationStatus'],
    ['__proto__', '', JSON.parse('{"__proto__":{"x":1}}'), '__proto__'],
    [
      'one that holds for all, for one client',
      '?clientId=C1',
      { 'paths.webhookUrl': 'short' },
      'all clients',
    ],
    ['the token route for one client', '?clientId=C1', { 'auth.tokenRoute': null }, 'all clients'],
    ['the public address for one client', '?clientId=C1', { publicBaseUrl: 'http://a.test' }, 'all clients'],
    [
      'a public address without its scheme',
      '',
      { publicBaseUrl: 'pay.test' },
      'did you mean `http://pay.test`?',
    ],
    ['a public address with port 0', '', { publicBaseUrl: 'http://pay.test:0' }, 'a port from 1 to 65535'],
    ['a conflict', '', { 'webhook.format': 'template' }, 'webhook.template'],
    ['a conflict of one client', '?clientId=C1', { 'webhook.format': 'template' }, 'webhook.template'],
    [
      'retries by a list and by number at once',
      '?clientId=C1',
      { 'webhook.retry': { schedule: ['1m'], max: 3 } },
      'has no effect beside `webhook.retry.schedule`',
    ],
    ['a schedule of nothing', '', { 'webhook.retry.schedule': [] }, 'a list of 1 to 50 durations'],
    [
      'a schedule of a hundred',
      '',
      { 'webhook.retry.schedule': Array(100).fill('1m') },
      'a list of 1 to 50 durations',
    ],
    [
      'the URL in the place of a documented field',
      '',
      { 'responses.urlField': 'offerInfoData.type' },
      'the API specification shows another value there',
    ],
    ['the URL inside of a text', '', { 'responses.urlField': 'token.url' }, 'the API specification'],
    ['an orderId that would repeat', '', { 'orders.ids': 'PO-${createdAt:yyyymmdd}' }, 'ids would repeat'],
    ['a token that can be guessed', '', { 'orders.tokens': 'tok_${hex:12}' }, '122 random bits'],
    [
      'an orderId of a form and one like the token',
      '?clientId=C1',
      { orders: { ids: '${hex:32}', orderIdEqualsToken: true } },
      'give `orders.tokens` the form',
    ],
    ['fees of nothing', '', { 'amounts.fee': { fixed: '0.00' } }, 'above zero'],
    ['payment pages among the calls', '', { 'paths.paymentPage': '/v1/pay' }, 'must not be under'],
    ['payment pages for one client', '?clientId=C1', { 'paths.paymentPage': '/checkout' }, 'all clients'],
    ['a retry at once', '', { 'webhook.retry.schedule': ['1m', '0s'] }, 'is out of range'],
    [
      'a token route that hides the control API',
      '',
      { 'auth.tokenRoute': { path: '/_emulator/x' } },
      'under',
    ],
  ])('%s', async (_, query, body, hint) => {
    const { emulator } = await startFixture()
    const before = (await emulator.control(`/settings${query}`)).text
    const answer = await patch(emulator, { 'orders.expiry': '3m', ...body }, query)
    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({ error: { code: 'invalid_input' } })
    expect(answer.text).toContain(hint)
    expect((await emulator.control(`/settings${query}`)).text).toBe(before)
  })

  test('what would leave one client in conflict, and it says which', async () => {
    const { emulator } = await startFixture()
    await patch(emulator, { 'webhook.template': { id: '${orderId}' } })
    await patch(emulator, { 'webhook.format': 'template' }, '?clientId=C1')
    const answer = await patch(emulator, { 'webhook.template': null })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('C1')
  })

  test('those of a client that does not exist', async () => {
    const emulator = await startTestEmulator()
    expect((await patch(emulator, {}, '?clientId=nobody')).status).toBe(404)
    const get = { method: 'GET' }
    expect((await emulator.send('/_emulator/settings?clientId=nobody', get)).status).toBe(404)
  })
})

test('many changes at once all hold', async () => {
  const emulator = await startTestEmulator()
  const changes = { 'orders.expiry': '7m', 'responses.urlField': 'u', 'signature.checkout': 'short' }
  await Promise.all(Object.entries(changes).map(([name, value]) => patch(emulator, { [name]: value })))
  expect((await emulator.control('/settings')).json.settings).toEqual(changes)
})

test('common settings outlive a restart, and lie over those of the start', async () => {
  const database = join(aFolder(), 'emulator.db')
  const before = await startTestEmulator({ database })
  await patch(before, { 'orders.expiry': '7m', 'paths.webhookUrl': 'fiat' })
  await before.close()
  const emulator = await startTestEmulator({ database, settings: { 'orders.expiry': '1h' } })
  expect((await emulator.control('/settings')).json).toMatchObject({
    settings: { 'orders.expiry': '7m' },
    effective: { 'orders.expiry': '7m' },
    from: { 'orders.expiry': 'common' },
  })
  const client = await emulator.addClient()
  expect((await client.setWebhookUrl('http://127.0.0.1:9/x')).status).toBe(404)
})

test('a start with settings that no longer go with the stored ones is refused in words', async () => {
  const database = join(aFolder(), 'emulator.db')
  const settings = { 'webhook.template': { id: '${orderId}' } }
  const before = await startTestEmulator({ database, settings })
  await patch(before, { 'webhook.format': 'template' })
  await before.close()
  await expect(startTestEmulator({ database })).rejects.toThrow('webhook.template')
})

test.each([
  ['everything', '/reset', {}, true],
  ['everything but clients', '/reset', { keep: ['clients'] }, true],
  ['one client', '/reset?clientId=C1', {}, false],
])('a reset of %s: are the common settings gone? %s', async (_, path, body, gone) => {
  const { emulator, c1 } = await startFixture()
  await patch(emulator, { 'paths.webhookUrl': 'fiat' })
  await emulator.control(path, 'POST', body)
  expect((await emulator.control('/settings')).json.settings).toEqual(
    gone ? {} : { 'paths.webhookUrl': 'fiat' },
  )
  // The token may be gone with its client; a path that is not there is 404 before that is looked at.
  expect((await c1.setWebhookUrl('http://127.0.0.1:9/x')).status === 404).toBe(!gone)
})

test('a reset leaves a kept client its own settings', async () => {
  const { emulator } = await startFixture({ settings: { 'orders.expiry': '5m' } })
  await emulator.control('/reset', 'POST', { keep: ['clients'] })
  expect((await emulator.control('/settings?clientId=C1')).json.settings).toEqual({ 'orders.expiry': '5m' })
})

test('a setting that is wrong is named once', async () => {
  const emulator = await startTestEmulator()
  const told = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const { json } = await emulator.send(`/_emulator${path}`, { method: 'PATCH', headers, body })
    return Object(json.error).message
  }
  const words = 'orders.expiry: expected a duration, but 5 has no unit; write 5s, 5m, 5h or 5d'
  expect(await told('/settings', { 'orders.expiry': 5 })).toBe(words)
  expect(await told('/settings', { orders: { expiry: 5 } })).toBe(words)
  expect(await told('/clients/demo-client', { settings: { orders: { expiry: 5 } } })).toBe(
    `settings.${words}`,
  )
})

test('a setting that decides instead of another one replaces it, in either direction', async () => {
  const { emulator } = await startFixture()
  const shown = async () => (await emulator.control('/settings?clientId=C1')).json.settings
  await patch(emulator, { 'webhook.retry.schedule': ['1m', '5m'] }, '?clientId=C1')
  expect((await patch(emulator, { 'webhook.retry.cap': '1h' }, '?clientId=C1')).status).toBe(200)
  expect(await shown()).toEqual({ 'webhook.retry.cap': '1h' })
  await patch(emulator, { 'webhook.retry.schedule': ['2m'] }, '?clientId=C1')
  expect(await shown()).toEqual({ 'webhook.retry.schedule': ['2m'] })
})

test('GET /choices shows an example webhook, signed by the settings that hold', async () => {
  const { emulator } = await startFixture({
    settings: { 'webhook.signature': { header: 'x-pay', encoding: 'base64' } },
  })
  const shape = z.object({
    n: z.string(),
    example: z.object({ headers: z.object({}).loose(), body: z.string() }).nullable(),
  })
  const exampleFor = async (query: string) => {
    const { json } = await emulator.control(`/choices${query}`)
    return z
      .array(shape)
      .parse(json.items)
      .find(({ n }) => n === 'N73')?.example
  }
  const own = await exampleFor('?clientId=C1&limit=1000')
  expect(own?.headers).toEqual({ 'x-pay': expect.stringMatching(/^[\w+/]{43}=$/) })
  expect(JSON.parse(own?.body ?? '')).toMatchObject({ orderStatus: 'COMPLETED' })
  const common = await exampleFor('?limit=1000')
  expect(Object.keys(common?.headers ?? {})).toContain('webhook-signature')
})
