import { createHmac } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Answer, JsonObject } from '../support/answer.ts'
import { paths, type TestClient } from '../support/client.ts'
import { startFixture, type TestEmulator } from '../support/emulator.ts'

const jsonType = { 'content-type': 'application/json' }
const short = 'fiatAmount=10.00&requestId=r1'

/** The answer to every failed client verification, byte for byte (R115). */
const failed = '{"error":"Client verification failed"}'

async function diagnosisOf(answer: Answer, client: TestClient): Promise<JsonObject> {
  const { diagnosis } = await client.journalOf(answer)
  return Object(diagnosis)
}

/** The answer is that of any failed verification; only headers that are not the service's lead to why. */
async function expectSilent(answer: Answer, client: TestClient, cause: string) {
  expect([answer.status, answer.text]).toEqual([401, failed])
  expect(Object.keys(answer.headers).toSorted()).toEqual([
    'connection',
    'content-length',
    'content-type',
    'date',
    'emulator-diagnosis',
    'emulator-request-id',
    'keep-alive',
    'x-content-type-options',
  ])
  expect(await diagnosisOf(answer, client)).toMatchObject({ cause })
}

describe('signatures', () => {
  const hmac = (text: string | Buffer, key: string | Buffer = 'sandbox-secret', algorithm = 'sha256') =>
    createHmac(algorithm, key).update(text)
  const base64 = (...args: Parameters<typeof hmac>) => hmac(...args).digest('base64')
  const body =
    '{"currencyId":"usd_us","fiatAmount":"10.00","email":"a@example.com","requestId":"r1","clientId":"C1"}'

  test.each([
    [base64('fiatAmount=10&requestId=r1'), 'signature.amount-spelling'],
    [base64('fiatAmount=10.0&requestId=r1'), 'signature.amount-spelling'],
    [base64('fiatAmount=1E+1&requestId=r1'), 'signature.amount-spelling'],
    [base64(`currencyId=usd_us&${short}&interval=`), 'signature.subscription-form'],
    [base64(`currencyId=usd_us&${short}&interval=MONTHLY`), 'signature.subscription-form'],
    [base64(body), 'signature.json-body'],
    [base64(`${short}\n`), 'signature.line-end'],
    [base64(short, 'sandbox-secret\n'), 'signature.key-altered'],
    [base64(short, Buffer.from('sandbox-secret', 'base64')), 'signature.key-altered'],
    [base64(short, 'another-secret'), 'signature.key-other-client'],
    [base64(short, 'T1'), 'signature.key-access-token'],
    [base64(short, 'sandbox-secret', 'sha1'), 'signature.algorithm'],
    [hmac(short).digest('hex'), 'signature.hex'],
    [Buffer.from(hmac(short).digest('hex')).toString('base64'), 'signature.base64-of-hex'],
    [base64(short).replace('=', ''), 'signature.padding'],
    [`sha256=${base64(short)}`, 'signature.wrapped'],
    [base64('x'), 'signature.wrong'],
    ['x', 'signature.no-digest'],
    ['', 'signature.empty'],
    [null, 'signature.missing'],
  ])('%j is answered like any other and is %s', async (signature, cause) => {
    const { c1 } = await startFixture()
    await expectSilent(await c1.createCheckout('r1', { headers: { signature } }), c1, cause)
  })

  test('what was signed, what had to be, and where they differ stand in the entry', async () => {
    const { c1 } = await startFixture()
    const answer = await c1.createCheckout('r1', { signed: 'fiatAmount=10&requestId=r1' })
    expect(await diagnosisOf(answer, c1)).toMatchObject({
      stringToSign: short,
      signedString: 'fiatAmount=10&requestId=r1',
      firstDifference: 13,
    })
  })

  test.each([
    ['zamówienie', 'fiatAmount=10.00&requestId=zam%C3%B3wienie', 'signature.percent-encoded'],
    ['zamówienie', 'fiatAmount=10.00&requestId=zamówienie'.normalize('NFD'), 'signature.unicode-form'],
  ])('of the requestId %s over %s: %s', async (requestId, signed, cause) => {
    const { c1 } = await startFixture()
    await expectSilent(await c1.createCheckout(c1.checkout(requestId), { signed }), c1, cause)
  })

  test('the body itself is signed: as it was sent, not as it is read', async () => {
    const { c1 } = await startFixture()
    const text = JSON.stringify(c1.checkout('r1'), null, 3)
    await expectSilent(await c1.post(paths.checkout, text, { signed: text }), c1, 'signature.json-body')
  })

  test('a pinned form', async () => {
    const { c1 } = await startFixture({ settings: { 'signature.checkout': 'with-currency' } })
    await expectSilent(await c1.createCheckout('r1'), c1, 'signature.checkout-form')
  })

  test('trial days', async () => {
    const { c1 } = await startFixture()
    const subscription = c1.subscription('r1', { trialPeriodDays: '7' })
    const signed = 'currencyId=usd_us&fiatAmount=1.00&requestId=r1&interval=MONTHLY'
    await expectSilent(await c1.createSubscription(subscription, { signed }), c1, 'signature.trial-days')
  })

  test('in other places', async () => {
    const { c1, emulator } = await startFixture()
    const signature = c1.sign(short)
    const own = { 'access-token': 'T1', ...jsonType }
    const named = { method: 'POST', headers: { ...own, 'x-signature': signature }, body: c1.checkout('r1') }
    await expectSilent(await emulator.send(paths.checkout, named), c1, 'signature.header-name')
    const inBody = { method: 'POST', headers: own, body: c1.checkout('r1', { signature }) }
    await expectSilent(await emulator.send(paths.checkout, inBody), c1, 'signature.in-body')
    const inQuery = { method: 'POST', headers: own, body: c1.checkout('r1') }
    const path = `${paths.checkout}?signature=${encodeURIComponent(signature)}`
    await expectSilent(await emulator.send(path, inQuery), c1, 'signature.in-query')
  })

  test('a member that stands in the body twice: the last one counts, and the first was signed', async () => {
    const { c1 } = await startFixture()
    const doubled = body.replace('"fiatAmount"', '"fiatAmount":"9.00","fiatAmount"')
    const signed = 'fiatAmount=9.00&requestId=r1'
    const answer = await c1.post(paths.checkout, doubled, { signed })
    await expectSilent(answer, c1, 'body.duplicate-member')
    const good = await c1.post(paths.checkout, doubled, { signed: short })
    expect(good.status).toBe(200)
    expect((await c1.journalOf(good)).notes).toContain(
      'the body has "fiatAmount" more than once; the last one counts',
    )
  })
})

describe('access tokens', () => {
  test.each([
    [{ 'access-token': null, authorization: 'Bearer T1' }, 'token.authorization-header'],
    [{ 'access-token': 'Bearer T1' }, 'token.prefix'],
    [{ 'access-token': null, access_token: 'T1' }, 'token.header-name'],
    [{ 'access-token': null, 'x-access-token': 'T1' }, 'token.header-name'],
    [{ 'access-token': '"T1"' }, 'token.wrapped'],
    [{ 'access-token': 't1' }, 'token.letter-case'],
    [{ 'access-token': 'sandbox-secret' }, 'token.credential'],
    [{ 'access-token': 'C1' }, 'token.credential'],
    [{ 'access-token': 'undefined' }, 'token.placeholder'],
    [{ 'access-token': 'nobodys' }, 'token.unknown'],
    [{ 'access-token': '' }, 'token.empty'],
    [{ 'access-token': null }, 'token.missing'],
    [{ 'access-token': 'T2' }, 'clientId.not-the-tokens'],
  ])('%j is answered like any other and is %s', async (headers, cause) => {
    const { c1 } = await startFixture()
    const query = { requestId: 'r1', clientId: 'C1' }
    await expectSilent(await c1.lookUp(paths.fiat, query, { headers }), c1, cause)
    await expectSilent(await c1.createCheckout('r1', { headers }), c1, cause)
  })

  test('in the query', async () => {
    const { c1 } = await startFixture()
    const query = { requestId: 'r1', clientId: 'C1', access_token: 'T1' }
    const answer = await c1.lookUp(paths.fiat, query, { headers: { 'access-token': null } })
    await expectSilent(answer, c1, 'token.in-query')
  })

  test('expired ones say which and when, by the client’s clock', async () => {
    const { c1 } = await startFixture()
    const token = await c1.issueToken()
    await c1.advance('31m')
    const answer = await c1.createCheckout('r1', { headers: { 'access-token': token } })
    await expectSilent(answer, c1, 'token.expired')
    const { message } = await diagnosisOf(answer, c1)
    expect(message).toContain('1m ago')
    expect(message).toContain(`\`${token.slice(0, 4)}…(43 characters)\``)
  })

  test('ones that were given out before a reset are lost', async () => {
    const { c1, emulator } = await startFixture()
    const token = await c1.issueToken()
    await emulator.control('/reset', 'POST', { keep: ['clients'] })
    const answer = await c1.createCheckout('r1', { headers: { 'access-token': token } })
    await expectSilent(answer, c1, 'token.lost')
  })

  test('a token in a wrong place is told in the journal of its client', async () => {
    const { c1 } = await startFixture()
    const headers = { 'access-token': null, authorization: 'Bearer T1' }
    const answer = await c1.createCheckout('r1', { headers })
    expect(await c1.journalOf(answer)).toMatchObject({ clientId: 'C1' })
  })
})

describe('queries', () => {
  test.each([
    ['requestID=r1&clientId=C1', 'query.name', 'requestId: is missing'],
    ['request_id=r1&clientId=C1', 'query.name', 'requestId: is missing'],
    ['requestId[]=r1&clientId=C1', 'query.name', 'requestId: is missing'],
    ['requestId=r1&amp;clientId=C1', 'query.name', 'clientId: is missing'],
    ['requestId=r1&requestId=r1&clientId=C1', 'query.twice', 'requestId: is in the query more than once'],
    ['requestId=&clientId=C1', 'query.empty', 'requestId: must not be empty'],
    ['clientId=C1', 'query.missing', 'requestId: is missing'],
  ])('%s is %s', async (query, cause, error) => {
    const { c1, emulator } = await startFixture()
    const answer = await emulator.send(`${paths.fiat}?${query}`, {
      method: 'GET',
      headers: { 'access-token': 'T1' },
    })
    expect([answer.status, answer.text]).toEqual([400, JSON.stringify({ error })])
    const diagnosis = await diagnosisOf(answer, c1)
    expect(diagnosis).toEqual({ cause, message: expect.stringContaining(`${error}; `) })
  })

  const utf8 = 'percent-encode the UTF-8 bytes, such as %C3%A9 for é'
  const percent = 'write %25 for a percent sign'
  test.each([
    ['requestId=caf%E9&clientId=C1', 'query.not-utf-8', `requestId: is not valid UTF-8, at "%E9"; ${utf8}`],
    ['requestId=%FF&clientId=C1', 'query.not-utf-8', `requestId: is not valid UTF-8, at "%FF"; ${utf8}`],
    ['requestId=%C0%AF&clientId=C1', 'query.not-utf-8', 'requestId: is not valid UTF-8, at "%C0%AF"'],
    ['requestId=%ED%A0%80&clientId=C1', 'query.not-utf-8', 'requestId: is not valid UTF-8, at "%ED%A0%80"'],
    ['requestId=%F5%80%80%80&clientId=C1', 'query.not-utf-8', 'requestId: is not valid UTF-8'],
    ['requestId=a%C3&clientId=C1', 'query.not-utf-8', 'requestId: is not valid UTF-8, at "%C3"'],
    [
      'requestId=%&clientId=C1',
      'query.percent',
      `requestId: has a % without two hexadecimal digits after it, at "%"; ${percent}`,
    ],
    [
      'requestId=%zz&clientId=C1',
      'query.percent',
      'requestId: has a % without two hexadecimal digits after it, at "%zz"',
    ],
    [
      'requestId=100%25%&clientId=C1',
      'query.percent',
      'requestId: has a % without two hexadecimal digits after it, at "%"',
    ],
    ['requestId=r1&clientId=%E9', 'query.not-utf-8', 'clientId: is not valid UTF-8'],
    ['requestId=r1&clientId=C1&caf%C3%A9=%E9', 'query.not-utf-8', 'café: is not valid UTF-8'],
    ['requestId=r1&clientId=C1&%E9=1', 'query.not-utf-8', 'query: a name in it is not valid UTF-8'],
    ['requestId=%E9&clientId=%', 'query.not-utf-8', `${utf8}; clientId: has a %`],
    ['requestId=r1&clientId=C2&a=%E9', 'query.not-utf-8', 'a: is not valid UTF-8'],
  ])('%s cannot be decoded and is %s', async (query, cause, words) => {
    const { c1, emulator } = await startFixture()
    for (const path of [paths.fiat, paths.crypto, paths.refunds]) {
      const headers = { 'access-token': 'T1' }
      const answer = await emulator.send(`${path}?${query}`, { method: 'GET', headers })
      expect([answer.status, answer.json]).toEqual([400, { error: expect.stringContaining(words) }])
      const entry = await c1.journalOf(answer)
      expect(entry).toMatchObject({
        path: `${path}?${query}`,
        diagnosis: { cause, message: answer.json.error },
      })
    }
  })

  test('the token is checked before the query is decoded', async () => {
    const { c1, emulator } = await startFixture()
    const answer = await emulator.send(`${paths.fiat}?requestId=%E9&clientId=C1`, { method: 'GET' })
    await expectSilent(answer, c1, 'token.missing')
  })

  test.each(['caf%C3%A9', '%EF%BF%BD', '%25zz', '%00', '%f0%9f%98%80'])(
    'the requestId %s can be decoded, and found',
    async (encoded) => {
      const { c1, emulator } = await startFixture()
      await c1.createCheckout(c1.checkout(decodeURIComponent(encoded)))
      const answer = await emulator.send(`${paths.fiat}?requestId=${encoded}&clientId=C1`, {
        method: 'GET',
        headers: { 'access-token': 'T1' },
      })
      expect(answer.json.data).toHaveLength(1)
    },
  )

  test('parameters in the body of a GET', async () => {
    const { c1, emulator } = await startFixture()
    const headers = { 'access-token': 'T1', ...jsonType }
    const request = { method: 'GET', headers, body: { requestId: 'r1', clientId: 'C1' } }
    const answer = await emulator.send(paths.fiat, request)
    expect(await diagnosisOf(answer, c1)).toMatchObject({ cause: 'query.in-body' })
  })

  test.each([
    ['a+b', 'a+b', 'write %2B'],
    ['a%2Bb', 'a%252Bb', 'percent-encoded twice'],
    ['R-1', 'r-1', 'upper and lower case differ'],
    ['r1', '%20r1', 'spaces'],
  ])(
    'a lookup that misses %s with %s is answered with nothing, and noted',
    async (requestId, sent, words) => {
      const { c1, emulator } = await startFixture()
      const real = requestId === 'a%2Bb' ? 'a+b' : requestId
      await c1.createCheckout(c1.checkout(real))
      const answer = await emulator.send(`${paths.fiat}?requestId=${sent}&clientId=C1`, {
        method: 'GET',
        headers: { 'access-token': 'T1' },
      })
      expect([answer.status, answer.text]).toEqual([200, '{"data":[]}'])
      const { notes, diagnosis } = await c1.journalOf(answer)
      expect(diagnosis).toBeNull()
      expect(String(notes)).toContain(words)
      expect(String(notes)).toContain(JSON.stringify(real))
    },
  )

  test('an orderId taken for a requestId, another client’s requestId, and one of nobody', async () => {
    const { c1, c2 } = await startFixture()
    await c1.createCheckout('r1')
    const { orderId } = await c1.order('r1')
    const notes = async (client: TestClient, requestId: string) =>
      String((await client.journalOf(await client.fiatOrders(requestId))).notes)
    expect(await notes(c1, String(orderId))).toContain('it is the orderId of the order with "r1"')
    expect(await notes(c2, 'r1')).toContain('an order of another client has it')
    expect(await notes(c2, String(orderId))).toBe('')
    expect(await notes(c1, 'r2')).toBe('')
  })
})

describe('bodies', () => {
  const right = '{"requestId":"r1"}'
  test.each([
    [`\ufeff${right}`, 'body.byte-order-mark'],
    ['requestId=r1', 'body.form-encoded'],
    [gzipSync(right), 'body.compressed'],
    [Buffer.from(right, 'utf16le'), 'body.utf-16'],
    [Buffer.from('{"requestId":"zamówienie"}', 'latin1'), 'body.not-utf-8'],
    ['', 'body.empty'],
    [JSON.stringify(right), 'body.json-in-string'],
    [`[${right}]`, 'body.not-an-object'],
    ['{"requestId":"r1",}', 'body.trailing-comma'],
  ])('%j is refused as before and is %s', async (body, cause) => {
    const { c1 } = await startFixture()
    for (const path of [paths.checkout, paths.simulate]) {
      const answer = await c1.post(path, body)
      expect(answer.status).toBe(400)
      const { error } = answer.json
      const message = typeof error === 'string' ? error : Object(error).message
      expect(message).toMatch(/^body: (is not|must be)/)
      const diagnosis = await diagnosisOf(answer, c1)
      expect(diagnosis).toEqual({ cause, message: expect.stringContaining(`${message}; `) })
    }
  })

  test.each([
    ['text/plain', 'body.content-type', 'the body is JSON'],
    ['application/x-www-form-urlencoded', 'body.content-type', 'the body is JSON'],
    ['multipart/form-data', 'body.multipart', 'multipart'],
    [null, 'body.content-type', 'there is none'],
  ])('announced as %s', async (type, cause, words) => {
    const { c1 } = await startFixture()
    const answer = await c1.createCheckout('r1', { headers: { 'content-type': type } })
    const error = `Content-Type must be application/json; it is ${type ?? 'none'}.`
    expect([answer.status, answer.text]).toEqual([415, JSON.stringify({ error })])
    const diagnosis = await diagnosisOf(answer, c1)
    expect(diagnosis).toEqual({ cause, message: expect.stringContaining(words) })
  })

  test('a charset in Content-Encoding, where it does not belong, is no compression', async () => {
    const { c1 } = await startFixture()
    const answer = await c1.createCheckout('r1', { headers: { 'content-encoding': 'UTF-8' } })
    expect(answer.status).toBe(200)
  })

  test('a member that stands there twice, of which the last is wrong', async () => {
    const { c1 } = await startFixture()
    const text = JSON.stringify(c1.checkout('r1')).replace(/}$/, ',"email":"nobody"}')
    const answer = await c1.post(paths.checkout, text, { signed: short })
    expect(answer.status).toBe(400)
    const diagnosis = await diagnosisOf(answer, c1)
    expect(diagnosis).toEqual({
      cause: 'body.duplicate-member',
      message: expect.stringMatching(/^email: .*; `email` is in the body more than once/),
    })
  })

  test('members of other names', async () => {
    const { c1 } = await startFixture()
    const { requestId: request_id, ...rest } = c1.checkout('r1')
    const answer = await c1.post(paths.checkout, { ...rest, request_id }, { signed: short })
    expect(answer.text).toBe('{"error":{"code":"400","message":"requestId: is missing"}}')
    expect(await diagnosisOf(answer, c1)).toEqual({
      cause: 'input.member-name',
      message: 'requestId: is missing; the body has "request_id"; rename it to `requestId`',
    })
  })
})

describe('paths and methods', () => {
  test.each([
    ['POST', `${paths.checkout}/`, 404, 'path.trailing-slash'],
    ['GET', `/${paths.fiat}`, 404, 'path.doubled-slash'],
    ['GET', '/client/orders', 404, 'path.version'],
    ['GET', '/V1/client/orders', 404, 'path.letter-case'],
    ['GET', '/api/v1/client/orders', 404, 'path.prefix'],
    ['GET', '/v1/client/orders/r1', 404, 'path.parameter'],
    ['POST', '/v1/client/order', 404, 'path.unknown'],
    ['GET', paths.checkout, 405, 'method.wrong'],
    ['OPTIONS', paths.checkout, 405, 'method.wrong'],
  ])('%s %s is %i and %s', async (method, path, status, cause) => {
    const { c1, emulator } = await startFixture()
    const answer = await emulator.send(path, { method })
    expect(answer.status).toBe(status)
    expect(Object.keys(answer.json)).toEqual(['error'])
    expect(await diagnosisOf(answer, c1)).toMatchObject({ cause })
  })

  test('a preflight is told from other OPTIONS, and answered like them', async () => {
    const { c1, emulator } = await startFixture()
    const plain = await emulator.send(paths.checkout, { method: 'OPTIONS' })
    const headers = { origin: 'http://shop.example', 'access-control-request-method': 'POST' }
    const preflight = await emulator.send(paths.checkout, { method: 'OPTIONS', headers })
    expect([preflight.status, preflight.text]).toEqual([plain.status, plain.text])
    expect(await diagnosisOf(preflight, c1)).toMatchObject({ cause: 'method.preflight' })
  })

  test('a path that a setting has switched off', async () => {
    const { c1, emulator } = await startFixture({}, { settings: { 'paths.webhookUrl': 'short' } })
    const answer = await emulator.send(paths.fiatWebhookUrl, { method: 'POST', body: {} })
    expect(await diagnosisOf(answer, c1)).toMatchObject({ cause: 'path.not-served' })
  })
})

test('no diagnosis in the journal has a secret of a client in it', async () => {
  const { c1, emulator } = await startFixture({ apiSecret: 'canary-secret', accessToken: 'canary-token' })
  const values = ['canary-secret', 'canary-token', 'Bearer canary-token', '"canary-token"', c1.webhookSecret]
  for (const value of values) {
    await c1.createCheckout('r1', { headers: { 'access-token': value } })
    await c1.createCheckout('r1', { headers: { 'access-token': null, authorization: value } })
    await c1.createCheckout('r1', { headers: { signature: value } })
    await c1.createCheckout('r1', { headers: { signature: null, 'x-signature': value } })
  }
  const entries = await journal(emulator)
  expect(entries.filter(({ diagnosis }) => diagnosis !== null)).not.toHaveLength(0)
  for (const { diagnosis } of entries) expect(JSON.stringify(diagnosis)).not.toMatch(/canary|whsec_/)
})

const journal = async (emulator: TestEmulator) => (await emulator.control('/requests?limit=100')).items
