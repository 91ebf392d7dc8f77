import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startTestEmulator, type TestEmulator } from '../support/emulator.ts'
import { aFolder } from '../support/folder.ts'

const json = { 'content-type': 'application/json' }

/** A call that may be refused. */
function call(emulator: TestEmulator, method: string, path: string, body?: object) {
  return emulator.send(`/_emulator${path}`, { method, headers: json, body })
}

test('settings that conflict since the common ones have changed keep nothing from starting, nor other changes', async () => {
  const database = join(aFolder(), 'a.db')
  const webhook = { template: { id: '${requestId}' } }
  const before = await startTestEmulator({ database, settings: { webhook } })
  const settings = { 'webhook.format': 'template' }
  await before.control('/clients/demo-client', 'PATCH', { settings })
  await before.close()
  const emulator = await startTestEmulator({ database })
  const { json: client } = await emulator.control('/clients/demo-client', 'PATCH', { webhookUrl: null })
  expect(client.settings).toEqual(settings)
  expect((await call(emulator, 'PATCH', '/clients/demo-client', { settings })).status).toBe(400)
})

test('POST {} makes a client with fresh credentials', async () => {
  const emulator = await startTestEmulator()
  const first = await call(emulator, 'POST', '/clients', {})
  const second = await call(emulator, 'POST', '/clients', {})
  expect(first.status).toBe(201)
  expect(first.json).toEqual({
    clientId: expect.stringMatching(/./),
    apiSecret: expect.stringMatching(/.{16}/),
    accessToken: expect.stringMatching(/.{16}/),
    webhookSecret: expect.stringMatching(/^whsec_/),
    webhookUrl: null,
    defaultScenario: 'happy',
    clock: { mode: 'manual', now: Date.parse('2026-04-21T16:00:00Z'), speed: 0 },
    settings: {},
  })
  for (const member of ['clientId', 'apiSecret', 'accessToken', 'webhookSecret']) {
    expect(first.json[member]).not.toBe(second.json[member])
  }
})

test('POST without a body does the same', async () => {
  const emulator = await startTestEmulator()
  expect((await emulator.send('/_emulator/clients', { method: 'POST' })).status).toBe(201)
})

test('a client can have a clock of its own', async () => {
  const emulator = await startTestEmulator()
  const clock = { mode: 'manual', now: '2030-01-31T23:30:00-03:00' }
  const made = await call(emulator, 'POST', '/clients', { clientId: 'later', clock })
  expect(made.json.clock).toEqual({ mode: 'manual', now: Date.parse('2030-02-01T02:30:00Z'), speed: 0 })
})

test('clients are listed in the order of their making', async () => {
  const emulator = await startTestEmulator()
  await call(emulator, 'POST', '/clients', { clientId: 'b' })
  await call(emulator, 'POST', '/clients', { clientId: 'a' })
  const { items } = await call(emulator, 'GET', '/clients')
  expect(items.map(({ clientId }) => clientId)).toEqual(['demo-client', 'b', 'a'])
})

test('PATCH changes what it names and nothing else', async () => {
  const emulator = await startTestEmulator()
  await call(emulator, 'POST', '/clients', { clientId: 'c', settings: { orders: { expiry: '5m' } } })
  const before = (await call(emulator, 'GET', '/clients/c')).json
  const patch = { webhookUrl: 'http://127.0.0.1:9/x', settings: { 'signature.checkout': 'short' } }
  const after = await call(emulator, 'PATCH', '/clients/c', patch)
  expect(after.json).toEqual({
    ...before,
    webhookUrl: 'http://127.0.0.1:9/x',
    settings: { 'orders.expiry': '5m', 'signature.checkout': 'short' },
  })
  expect((await call(emulator, 'PATCH', '/clients/c', { webhookUrl: null })).json.webhookUrl).toBeNull()
  const cleared = await call(emulator, 'PATCH', '/clients/c', { settings: { 'signature.checkout': null } })
  expect(cleared.json.settings).toEqual({ 'orders.expiry': '5m' })
})

test('a changed token and secret hold at once, the old ones no longer', async () => {
  const emulator = await startTestEmulator()
  const client = await emulator.addClient({ clientId: 'c', accessToken: 'old' })
  await call(emulator, 'PATCH', '/clients/c', { accessToken: 'new' })
  expect((await client.fiatOrders('r1')).status).toBe(401)
  const query = { requestId: 'r1', clientId: 'c' }
  const headers = { 'access-token': 'new' }
  expect((await client.lookUp('/v1/client/orders', query, { headers })).status).toBe(200)
})

test('DELETE removes a client and its whole world, and the name is free again', async () => {
  const emulator = await startTestEmulator()
  const client = await emulator.addClient({ clientId: 'c', accessToken: 't' })
  await client.createCheckout('r1')
  expect((await call(emulator, 'DELETE', '/clients/c')).status).toBe(204)
  expect((await client.fiatOrders('r1')).status).toBe(401)
  expect((await call(emulator, 'GET', '/orders')).items).toEqual([])
  const again = await emulator.addClient({ clientId: 'c', accessToken: 't', apiSecret: client.apiSecret })
  expect((await again.createCheckout('r1')).status).toBe(200)
})

test('a webhook URL and settings changed at once are both kept', async () => {
  const emulator = await startTestEmulator()
  const client = await emulator.addClient({ clientId: 'c' })
  await Promise.all([
    client.setWebhookUrl('http://127.0.0.1:9/new'),
    call(emulator, 'PATCH', '/clients/c', { settings: { 'orders.expiry': '1m' } }),
    call(emulator, 'PATCH', '/clients/c', { defaultScenario: 'fail-9004' }),
  ])
  expect((await call(emulator, 'GET', '/clients/c')).json).toMatchObject({
    webhookUrl: 'http://127.0.0.1:9/new',
    settings: { 'orders.expiry': '1m' },
    defaultScenario: 'fail-9004',
  })
})

test('a client changed and removed at once is gone, and troubles nobody', async () => {
  const emulator = await startTestEmulator()
  await emulator.addClient({ clientId: 'c' })
  const patch = { defaultScenario: 'fail-9004' }
  await Promise.all([call(emulator, 'PATCH', '/clients/c', patch), call(emulator, 'DELETE', '/clients/c')])
  expect((await call(emulator, 'GET', '/clients')).items).toHaveLength(1)
  expect((await emulator.control('/clock/advance', 'POST', { by: '1m' })).status).toBe(200)
})

test('a client made again under its name has a journal of its own', async () => {
  const emulator = await startTestEmulator()
  const client = await emulator.addClient({ clientId: 'c' })
  await client.fiatOrders('r1')
  await call(emulator, 'DELETE', '/clients/c')
  await emulator.addClient({ clientId: 'c' })
  expect((await call(emulator, 'GET', '/requests?clientId=c')).items).toEqual([])
})

test('a client whose orderId another client names in a simulation can still be removed', async () => {
  const emulator = await startTestEmulator()
  const owner = await emulator.addClient({ clientId: 'owner' })
  const other = await emulator.addClient({ clientId: 'other', webhookUrl: 'http://127.0.0.1:9/' })
  await owner.createCheckout('r1')
  const { orderId } = await owner.order('r1')
  await other.simulate(other.simulation('r1', { orderId }))
  expect((await call(emulator, 'DELETE', '/clients/owner')).status).toBe(204)
})

test('a client made while everything is reset is either there or not', async () => {
  const emulator = await startTestEmulator()
  for (let round = 0; round < 10; round++) {
    await emulator.control('/clients', 'POST', { clientId: `filler-${round}` })
    const [, made] = await Promise.all([
      call(emulator, 'POST', '/reset', {}),
      call(emulator, 'POST', '/clients', { clientId: 'x' }),
    ])
    const there = (await call(emulator, 'GET', '/clients/x')).status === 200
    const again = await call(emulator, 'POST', '/clients', { clientId: 'x' })
    expect([made.status, again.status], 'made anew exactly if it was gone').toEqual([201, there ? 409 : 201])
    expect((await call(emulator, 'GET', '/clients')).status).toBe(200)
    await call(emulator, 'POST', '/reset', {})
  }
})

test('an access token that was given out to one client cannot become another’s', async () => {
  const emulator = await startTestEmulator()
  const owner = await emulator.addClient()
  await emulator.addClient({ clientId: 'thief' })
  const accessToken = await owner.issueToken()
  expect((await call(emulator, 'PATCH', '/clients/thief', { accessToken })).status).toBe(409)
})

test.each(['1960-01-01T00:00:00Z', '+012000-01-01T00:00:00Z', 253_402_300_800_000])(
  'a clock at %s is refused: it could not be written down',
  async (now) => {
    const emulator = await startTestEmulator()
    expect((await call(emulator, 'POST', '/clients', { clock: { now } })).status).toBe(400)
  },
)

describe('is refused with the reason', () => {
  test.each([
    ['an unknown member', { webhokUrl: 'http://x' }, 400, 'invalid_input', 'did you mean `webhookUrl`'],
    [
      'a webhook URL that is none',
      { webhookUrl: 'localhost:3000' },
      400,
      'invalid_input',
      'webhookUrl: must be an absolute http or https URL without fragment, user name or password, not "localhost:3000"; did you mean `http://localhost:3000`?',
    ],
    [
      'a webhook URL with port 0',
      { webhookUrl: 'http://127.0.0.1:0/' },
      400,
      'invalid_input',
      'webhookUrl: must have a port from 1 to 65535, not "http://127.0.0.1:0/"',
    ],
    ['a webhook secret in another form', { webhookSecret: 'secret' }, 400, 'invalid_input', 'whsec_'],
    [
      'a scenario that does not exist',
      { defaultScenario: 'hapy' },
      404,
      'scenario_unknown',
      'Did you mean "happy"',
    ],
    ['a clientId that is taken', { clientId: 'demo-client' }, 409, 'client_exists', 'demo-client'],
    ['an access token that is taken', { accessToken: 'demo-token' }, 409, 'client_exists', 'already uses'],
    [
      'a setting that does not exist',
      { settings: { 'signature.chekout': 'short' } },
      400,
      'invalid_input',
      'signature.checkout',
    ],
    [
      'a setting for all clients',
      { settings: { 'paths.webhookUrl': 'short' } },
      400,
      'invalid_input',
      'paths.webhookUrl',
    ],
    [
      'a setting that needs another',
      { settings: { 'webhook.format': 'template' } },
      400,
      'invalid_input',
      'needs `webhook.template`',
    ],
    ['a clock that goes backwards', { clock: { speed: -1 } }, 400, 'invalid_input', 'clock.speed'],
  ])('%s', async (_, body, status, code, words) => {
    const emulator = await startTestEmulator()
    const answer = await call(emulator, 'POST', '/clients', body)
    expect(answer.status).toBe(status)
    expect(answer.json).toEqual({ error: { code, message: expect.stringContaining(words) } })
    expect((await call(emulator, 'GET', '/clients')).items).toHaveLength(1)
  })

  test.each(['GET', 'PATCH', 'DELETE'])('%s of a client that does not exist', async (method) => {
    const emulator = await startTestEmulator()
    const answer = await call(emulator, method, '/clients/nobody', method === 'PATCH' ? {} : undefined)
    expect(answer.status).toBe(404)
    expect(answer.json).toMatchObject({ error: { code: 'client_unknown' } })
  })

  test.each([
    ['a body that is not JSON', '{', json, 400, 'not_json'],
    ['a body that is no object', '[]', json, 400, 'not_json'],
    ['a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupported_media_type'],
    ['JSON a hundred thousand levels deep', '['.repeat(100_000), json, 400, 'not_json'],
    ['more than 1 MiB', `{"clientId":"${'x'.repeat(1_100_000)}"}`, json, 413, 'too_large'],
  ])('%s', async (_, body, headers, status, code) => {
    const emulator = await startTestEmulator()
    const answer = await emulator.send('/_emulator/clients', { method: 'POST', headers, body })
    expect(answer.status).toBe(status)
    expect(answer.json).toMatchObject({ error: { code } })
  })
})

test('the query names a new client as well as the body does, but no other one', async () => {
  const emulator = await startTestEmulator()
  const made = (body: object) => call(emulator, 'POST', '/clients?clientId=shop', body)
  expect((await made({ clientId: 'other' })).text).toContain('the body and the query name different clients')
  expect(await made({})).toMatchObject({ status: 201, json: { clientId: 'shop' } })
})

test('whether there is a client cannot be learned from the health, which asks for no token', async () => {
  const emulator = await startTestEmulator()
  const health = async (clientId: string) =>
    (await emulator.control(`/health?clientId=${clientId}`)).json.status
  expect([await health('demo-client'), await health('nobody')]).toEqual(['ok', 'ok'])
})

test('a clock in one word is told how a clock is written', async () => {
  const emulator = await startTestEmulator()
  const { status, text } = await call(emulator, 'POST', '/clients', { clock: 'manual' })
  expect(status).toBe(400)
  expect(JSON.parse(text).error.message).toBe(
    'clock: expected an object like {"mode":"manual"}, not "manual"',
  )
})
