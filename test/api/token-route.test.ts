import { describe, expect, onTestFinished, test } from 'vitest'
import type { Answer } from '../support/answer.ts'
import { paths, type TestClient } from '../support/client.ts'
import { startFixture, type TestEmulator } from '../support/emulator.ts'
import { expectInvalid, expectStatus, expectVerificationFailed } from '../support/expect.ts'

const path = '/oauth/token'
const oauth = {
  path,
  accepts: ['form', 'basic'],
  clientIdField: 'client_id',
  apiSecretField: 'client_secret',
  answer: {
    data: { token: '${accessToken}', type: 'Bearer', scope: '${scope}', for: '${clientId}' },
    expires_in: '${expiresIn}',
    expires_at: '${expiresAt:seconds}',
    issued: '${issuedAt:offset}',
  },
  error: { error: '${code}', error_description: '${message}', at: '${time}', status: '${status}' },
}

const withRoute = (tokenRoute: object, settings: object = {}) =>
  startFixture({}, { settings: { auth: { tokenRoute }, ...settings } })

const form = 'application/x-www-form-urlencoded'
const basic = (credentials: string) => ({
  authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
})

function ask(
  emulator: TestEmulator,
  body: string | object | undefined,
  headers: Readonly<Record<string, string>> = { 'content-type': form },
): Promise<Answer> {
  return emulator.send(path, { method: 'POST', headers, body })
}

const right = 'grant_type=client_credentials&client_id=C1&client_secret=sandbox-secret'

const lookUp = (client: TestClient, token: unknown) =>
  client.lookUp(
    paths.fiat,
    { requestId: 'r1', clientId: 'C1' },
    { headers: { 'access-token': String(token) } },
  )

describe('N78: a token route', () => {
  test('takes a form and answers by its template, with times on the client’s clock', async () => {
    const { c1, emulator } = await withRoute(oauth, { auth: { tokenRoute: oauth, tokenLifetime: '1h' } })
    await c1.advance('10s')
    const { status, json, headers } = await ask(emulator, `${right}&scope=orders`)
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    expect(json).toEqual({
      data: { token: expect.any(String), type: 'Bearer', scope: 'orders', for: 'C1' },
      expires_in: 3600,
      expires_at: Date.parse('2026-04-21T17:00:10Z') / 1000,
      issued: '2026-04-21T16:00:10.000+00:00',
    })
    expectStatus(await lookUp(c1, Object(json.data).token), 200)
  })

  test('leaves a scope out that was not asked for', async () => {
    const { emulator } = await withRoute(oauth)
    expect((await ask(emulator, right)).json.data).not.toHaveProperty('scope')
  })

  test.each([
    ['alone', undefined, {}],
    ['with a form', 'grant_type=client_credentials', { 'content-type': form }],
    ['with an empty form', '', {}],
  ])('takes Authorization: Basic %s', async (_, body, headers) => {
    const { c1, emulator } = await withRoute(oauth)
    const { json } = await ask(emulator, body, { ...headers, ...basic('C1:sandbox-secret') })
    expectStatus(await lookUp(c1, Object(json.data).token), 200)
  })

  test('takes Basic with and without the form encoding of OAuth 2.0', async () => {
    const { emulator } = await withRoute(oauth)
    await emulator.addClient({ clientId: 'C:3', apiSecret: 'a+b c%', accessToken: 'T3' })
    const encoded = `${encodeURIComponent('C:3')}:${encodeURIComponent('a+b c%')}`
    expectStatus(await ask(emulator, undefined, basic(encoded)), 200)
    await emulator.addClient({ clientId: 'C4', apiSecret: 'a+b%', accessToken: 'T4' })
    expectStatus(await ask(emulator, undefined, basic('C4:a+b%')), 200)
  })

  test.each([
    ['a wrong secret', right.replace('sandbox', 'wrong'), {}, 401, 'invalid_client', /verification failed/],
    ['an unknown client', right.replace('C1', 'C9'), {}, 401, 'invalid_client', /verification failed/],
    [
      'a missing grant type',
      right.replace(/^.*?&/, ''),
      {},
      400,
      'invalid_request',
      /^grant_type: is missing/,
    ],
    [
      'another grant',
      right.replace('client_c', 'c'),
      {},
      400,
      'unsupported_grant_type',
      /^grant_type: must be/,
    ],
    [
      'a missing secret',
      right.replace(/&client_secret.*/, ''),
      {},
      400,
      'invalid_request',
      /^client_secret: /,
    ],
    ['a field twice', `${right}&client_id=C2`, {}, 400, 'invalid_request', /^client_id: .* more than once/],
    ['both header and body', right, basic('C1:sandbox-secret'), 400, 'invalid_request', /send them once/],
    [
      'another client in the body',
      'grant_type=client_credentials&client_id=C2',
      basic('C1:sandbox-secret'),
      400,
      'invalid_request',
      /^client_id: .* send them once/,
    ],
    [
      'no base64',
      'grant_type=client_credentials',
      { authorization: 'Basic ???' },
      401,
      'invalid_client',
      /./,
    ],
    ['no colon', 'grant_type=client_credentials', basic('C1'), 401, 'invalid_client', /./],
  ])('refuses %s by its template', async (_, body, headers, status, code, message) => {
    const { emulator } = await withRoute(oauth)
    const answer = await ask(emulator, body, { 'content-type': form, ...headers })
    expect([answer.status, answer.json]).toEqual([
      status,
      {
        error: code,
        error_description: expect.stringMatching(message),
        at: expect.stringMatching(/^20\d\d-/),
        status,
      },
    ])
    const challenge = answer.headers['www-authenticate']
    expect(challenge).toBe(status === 401 ? 'Basic realm="/oauth/token"' : undefined)
  })

  test('words 405, 415 and the 5xx of faults by its template', async () => {
    const { emulator } = await withRoute(oauth)
    const get = await emulator.send(path, { method: 'GET' })
    expect([get.status, get.json.error]).toEqual([405, 'invalid_request'])
    const json = await ask(emulator, {}, { 'content-type': 'application/json' })
    expect([json.status, json.json.error]).toEqual([415, 'invalid_request'])
    expect(json.json.error_description).toContain(`Content-Type must be ${form}; it is application/json.`)
    await emulator.control('/faults', 'POST', { on: 'access-token', effect: { status: 503 }, times: 1 })
    const down = await ask(emulator, right)
    expect([down.status, down.json.error]).toEqual([503, 'service_unavailable'])
  })

  test('refuses wrong credentials with its own status', async () => {
    const { emulator } = await withRoute({ ...oauth, refusedStatus: 400 })
    const answer = await ask(emulator, right.replace('sandbox', 'wrong'))
    expect([answer.status, answer.json.error]).toEqual([400, 'invalid_client'])
    expect(answer.headers).not.toHaveProperty('www-authenticate')
  })

  test('asks for credentials if it takes only Basic', async () => {
    const { emulator } = await withRoute({ path, accepts: ['basic'] })
    const answer = await ask(emulator, right)
    expectVerificationFailed(answer)
    expect(answer.headers['www-authenticate']).toBe('Basic realm="/oauth/token"')
  })

  test('without a template answers errors like the service', async () => {
    const { emulator } = await withRoute({ path })
    const json = { 'content-type': 'application/json' }
    expectVerificationFailed(await ask(emulator, { clientId: 'C1', apiSecret: 'x' }, json))
    expectInvalid(await ask(emulator, { clientId: 'C1' }, json), 'apiSecret')
    const template = { errors: [{ field: '${problems.field}' }] }
    await emulator.control('/settings', 'PATCH', { errors: { template } })
    const { text } = await ask(emulator, { clientId: 'C1' }, json)
    expect(text).toBe('{"errors":[{"field":"apiSecret"}]}')
  })

  test('ignores a grant type in JSON unless one is set, and any takes all', async () => {
    const json = { 'content-type': 'application/json' }
    const body = { clientId: 'C1', apiSecret: 'sandbox-secret', grant_type: 'password' }
    const status = async (route: object) => {
      const { emulator } = await withRoute({ path, ...route })
      return (await ask(emulator, body, json)).status
    }
    expect(await status({})).toBe(200)
    expect(await status({ grantType: 'client_credentials' })).toBe(400)
    expect(await status({ grantType: 'password' })).toBe(200)
    const { emulator } = await withRoute({ ...oauth, grantType: 'any' })
    expectStatus(await ask(emulator, right.replace(/^.*?&/, '')), 200)
  })

  test('never shows the secret or the token in the request log', async () => {
    const { emulator } = await withRoute(oauth)
    const { json } = await ask(emulator, `${right}&scope=orders`)
    await ask(emulator, undefined, basic('C1:sandbox-secret'))
    const { text, json: log } = await emulator.control('/requests?operation=access-token')
    expect(log.items).toHaveLength(2)
    expect(text).toContain('grant_type=client_credentials&scope=orders&client_id=C1&client_secret=')
    for (const secret of [
      'sandbox-secret',
      String(Object(json.data).token),
      basic('C1:sandbox-secret').authorization.slice(6),
    ])
      expect(text).not.toContain(secret)
  })

  test('stands beside the emulator’s own path, which stays as it is', async () => {
    const { c1 } = await withRoute(oauth)
    expectStatus(await lookUp(c1, await c1.issueToken()), 200)
  })
})

describe('N79: one token a client', () => {
  test('ends the tokens that were issued before, at once and for good, but not the client’s own', async () => {
    const { c1, emulator } = await startFixture({ settings: { 'auth.oneToken': true } })
    const first = await c1.issueToken()
    const second = await c1.issueToken()
    expectVerificationFailed(await lookUp(c1, first))
    for (const valid of [second, 'T1']) expectStatus(await lookUp(c1, valid), 200)
    const { json } = await emulator.control('/requests?status=401')
    const [entry] = Object(json).items
    expect(entry.diagnosis).toMatchObject({
      cause: 'token.expired',
      message: expect.stringContaining('a new token ends the earlier ones: setting `auth.oneToken`'),
    })
  })

  test('of several requests at once leaves exactly one valid', async () => {
    const { c1 } = await startFixture({ settings: { 'auth.oneToken': true } })
    const tokens = await Promise.all(Array.from({ length: 5 }, () => c1.issueToken()))
    const answers = await Promise.all(tokens.map((token) => lookUp(c1, token)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401])
  })

  test('leaves other clients alone, and survives a snapshot', async () => {
    const { c1, c2, emulator } = await startFixture()
    await emulator.control('/settings', 'PATCH', { 'auth.oneToken': true })
    const [first, second, other] = [await c1.issueToken(), await c1.issueToken(), await c2.issueToken()]
    const snapshot = await emulator.control('/snapshot')
    const restored = await startFixture()
    onTestFinished(() => restored.emulator.close())
    await restored.emulator.control('/snapshot', 'PUT', snapshot.json)
    expectVerificationFailed(await lookUp(restored.c1, first))
    expectStatus(await lookUp(restored.c1, second), 200)
    const ofOther = { requestId: 'r1', clientId: 'C2' }
    expectStatus(await c2.lookUp(paths.fiat, ofOther, { headers: { 'access-token': other } }), 200)
  })
})

describe('a token route is refused:', () => {
  test.each([
    ['without the token in its answer', { answer: { a: '${clientId}' } }, 'has no ${accessToken}'],
    [
      'with names beside its answer',
      { answer: ['${accessToken}'], expiresInField: 'e' },
      'leave one of them out',
    ],
    [
      'with one name for two fields',
      { clientIdField: 'a', apiSecretField: 'a' },
      'must differ from `clientIdField`',
    ],
    [
      'with one name in its answer',
      { accessTokenField: 'a', expiresInField: 'a' },
      'must differ from `accessTok',
    ],
    ['with an unknown form', { accepts: ['xml'] }, 'expected `json`, `form` or `basic`'],
    ['with no form', { accepts: [] }, 'accepts'],
    ['with a form twice', { accepts: ['form', 'form'] }, 'names a form twice'],
    ['with an answer that is no JSON', { answer: '{' }, 'is not JSON'],
    [
      'with a placeholder of another answer',
      { error: { a: '${accessToken}' } },
      'has no value for ${accessToken}',
    ],
    ['with a status that is no refusal', { refusedStatus: 200 }, 'must be at least 400'],
  ])('%s', async (_, route, words) => {
    const { emulator } = await startFixture()
    const answer = await emulator.send('/_emulator/settings', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: { 'auth.tokenRoute': { path, ...route } },
    })
    expectStatus(answer, 400)
    expect(answer.text).toContain(words)
  })
})
