import { describe, expect, test } from 'vitest'
import type { Answer } from '../support/answer.ts'
import { paths, type TestClient } from '../support/client.ts'
import { startFixture } from '../support/emulator.ts'
import { expectStatus, expectVerificationFailed } from '../support/expect.ts'

const headers = {
  'X-RateLimit-Limit': '${limit}',
  'X-RateLimit-Remaining': '${remaining}',
  'X-RateLimit-Reset': '${reset:seconds}',
  'RateLimit-Policy': '${limit};w=${period}',
}

const lookUp = (client: TestClient, options = {}) =>
  client.lookUp(paths.fiat, { requestId: 'r1', clientId: client.clientId }, options)

async function limited(...limits: object[]) {
  return startFixture({ settings: { limits } })
}

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status)

async function several(count: number, call: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let n = 0; n < count; n++) answers.push(await call())
  return answers
}

describe('N81: a rate limit', () => {
  test('refuses the calls beyond it until its window ends on the client’s clock', async () => {
    const { c1 } = await limited({ on: 'orders', max: 2, per: '1m' })
    expect(statuses(await several(2, () => lookUp(c1)))).toEqual([200, 200])
    await c1.advance('20s')
    const refused = await lookUp(c1)
    expectStatus(refused, 429)
    expect(refused.headers['retry-after']).toBe('40')
    expect(refused.json).toEqual({ error: 'Too many requests: try again in 40s.' })
    await c1.advance('39999ms')
    expectStatus(await lookUp(c1), 429)
    await c1.advance('1ms')
    expect(statuses(await several(3, () => lookUp(c1)))).toEqual([200, 200, 429])
  })

  test('begins a window with its first call, so a jump of the clock over many windows frees one window', async () => {
    const { c1 } = await limited({ on: 'orders', max: 1, per: '10s' })
    await lookUp(c1)
    await c1.advance('365d')
    expect(statuses(await several(2, () => lookUp(c1)))).toEqual([200, 429])
    await c1.advance('9s')
    expectStatus(await lookUp(c1), 429)
  })

  test('sends its headers with every answer to the client, refusals included', async () => {
    const { c1 } = await limited({ on: ['orders', 'create-order'], max: 3, per: '1m', headers })
    const reset = String(Date.parse('2026-04-21T16:01:00Z') / 1000)
    const shown = ({ headers: sent }: Answer) => [
      sent['x-ratelimit-limit'],
      sent['x-ratelimit-remaining'],
      sent['x-ratelimit-reset'],
      sent['ratelimit-policy'],
    ]
    expect(shown(await lookUp(c1))).toEqual(['3', '2', reset, '3;w=60'])
    const invalid = await c1.createCheckout(c1.checkout('r1', { fiatAmount: '1,0' }))
    expect([invalid.status, ...shown(invalid)]).toEqual([400, '3', '1', reset, '3;w=60'])
    const unsigned = await c1.createCheckout('r1', { signed: 'x' })
    expect([unsigned.status, ...shown(unsigned)]).toEqual([401, '3', '0', reset, '3;w=60'])
    const beyond = await c1.createCheckout('r1')
    expect([beyond.status, ...shown(beyond)]).toEqual([429, '3', '0', reset, '3;w=60'])
    const other = await c1.lookUp(paths.refunds, { requestId: 'r1', clientId: 'C1' })
    expect(shown(other)).toEqual([undefined, undefined, undefined, undefined])
  })

  test('counts each client, and no call whose token is unknown', async () => {
    const { c1, c2, emulator } = await startFixture()
    await emulator.control('/settings', 'PATCH', { limits: [{ on: 'orders', max: 1, per: '1h' }] })
    const unknown = await lookUp(c1, { headers: { 'access-token': 'nobody' } })
    expectVerificationFailed(unknown)
    expect(statuses(await several(2, () => lookUp(c1)))).toEqual([200, 429])
    expect(statuses(await several(2, () => lookUp(c2)))).toEqual([200, 429])
  })

  test('refuses before anything else is checked, and creates nothing', async () => {
    const { c1 } = await limited({ on: 'create-order', max: 1, per: '1m' })
    expectStatus(await c1.createSubscription('r1'), 200)
    for (const wrong of [{ signed: 'x' }, { headers: { signature: null } }, {}])
      expectStatus(await c1.createCheckout('r2', wrong), 429)
    expectStatus(await c1.createCheckout('{', {}), 429)
    expect((await c1.fiatOrders('r2')).data).toEqual([])
    await c1.advance('1m')
    expectStatus(await c1.createCheckout('r2'), 200)
  })

  test('of two that are used up, the one that is free last decides; a refused call counts for none', async () => {
    const second = { on: 'orders', max: 1, per: '1s' }
    const minute = { on: 'orders', max: 2, per: '1m' }
    const { c1 } = await limited(second, minute)
    expect(statuses(await several(3, () => lookUp(c1)))).toEqual([200, 429, 429])
    await c1.advance('1s')
    expectStatus(await lookUp(c1), 200)
    expect((await lookUp(c1)).headers['retry-after']).toBe('59')
  })

  test('meets no fault: a planned one waits for the next call that passes', async () => {
    const { c1, emulator } = await limited({ on: 'orders', max: 1, per: '1m' })
    await lookUp(c1)
    const fault = { on: 'orders', when: 'unchecked', effect: { status: 503 }, times: 1, clientId: 'C1' }
    await emulator.control('/faults', 'POST', fault)
    expectStatus(await lookUp(c1), 429)
    await c1.advance('1m')
    expect(statuses(await several(2, () => lookUp(c1)))).toEqual([503, 429])
  })

  test('is named in the request log, with the time when it is free again', async () => {
    const { c1, emulator } = await limited({ on: 'orders', max: 1, per: '90s' })
    const answers = await several(2, () => lookUp(c1))
    const id = answers[1]?.headers['emulator-request-id']
    const { json } = await emulator.control(`/requests/${id}`)
    expect(json.diagnosis).toEqual({
      cause: 'limit.reached',
      message:
        'rate limit: 1 call per 90s on orders (setting `limits`) is used up; ' +
        "it is free again in 90s, at 2026-04-21T16:01:30.000Z on the client's clock",
    })
  })

  test('counts as a met 429 in the coverage of a suite', async () => {
    const { c1, emulator } = await limited({ on: 'orders', max: 1, per: '1m' })
    await several(2, () => lookUp(c1))
    const { json } = await emulator.control('/coverage')
    expect(json.answers).toContainEqual({ name: 'orders 429', met: 1, counts: true })
    expect(json.hazards).toContainEqual(expect.objectContaining({ name: 'lookup-429', met: 1 }))
  })

  test.each([
    ['a reset of the client', '/reset?clientId=C1', 'POST'],
    ['a change of the limit', '/settings?clientId=C1', 'PATCH'],
  ])('is empty again after %s', async (_, path, method) => {
    const { c1, emulator } = await limited({ on: 'orders', max: 1, per: '1h' })
    expect(statuses(await several(2, () => lookUp(c1)))).toEqual([200, 429])
    const change = { limits: [{ on: 'orders', max: 2, per: '1h' }] }
    await emulator.control(path, method, method === 'PATCH' ? change : {})
    expectStatus(await lookUp(c1), 200)
  })

  test('is empty again after a snapshot was restored, whatever was counted before it', async () => {
    const { c1, emulator } = await limited({ on: 'orders', max: 1, per: '1h' })
    expectStatus(await lookUp(c1), 200)
    const snapshot = await emulator.control('/snapshot')
    expectStatus(await lookUp(c1), 429)
    await emulator.control('/snapshot', 'PUT', snapshot.json)
    expect(statuses(await several(2, () => lookUp(c1)))).toEqual([200, 429])
  })

  test('limits tokens too, before their secret is compared', async () => {
    const { c1, emulator } = await limited({ on: 'access-token', max: 1, per: '1m' })
    await c1.issueToken()
    const refused = await emulator.send('/_emulator/access-token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: { clientId: 'C1', apiSecret: 'wrong' },
    })
    expectStatus(refused, 429)
    expect(refused.json.error).toMatchObject({ code: 'limit_reached' })
  })
})

describe('a rate limit is refused:', () => {
  const limit = { on: 'orders', max: 1, per: '1m' }
  test.each([
    ['of no calls', [{ ...limit, max: 0 }], 'limits.0.max: `limits`: must be at least 1'],
    ['in no time', [{ ...limit, per: '0s' }], 'limits.0.per: `limits`: must be longer than zero'],
    ['without a unit of time', [{ ...limit, per: 60 }], 'limits.0.per'],
    ['on an unknown operation', [{ ...limit, on: 'ordrs' }], 'did you mean `orders`'],
    ['on no operation', [{ ...limit, on: [] }], 'limits.0.on'],
    ['on deliveries', [{ ...limit, on: 'delivery' }], 'limits.0.on'],
    ['twice', [limit, { ...limit, on: ['orders'] }], 'limits.1: `limits`: repeats the limit 0'],
    [
      'in a list of hundreds',
      Array.from({ length: 200 }, (_, max) => ({ ...limit, max: max + 1 })),
      'has more than 20 limits',
    ],
    [
      'with a header that nothing fills',
      [{ ...limit, headers: { 'x-left': '${left}' } }],
      'has no value for ${left}',
    ],
    ['with two lines in a header', [{ ...limit, headers: { 'x-left': 'a\r\nb: c' } }], 'one line'],
    [
      'with its own Retry-After',
      [{ ...limit, headers: { 'Retry-After': '1' } }],
      'is set by the emulator, when it refuses a call',
    ],
    ['with the length of the body', [{ ...limit, headers: { 'content-length': '1' } }], 'cannot be set here'],
  ])('%s', async (_, limits, words) => {
    const { emulator } = await startFixture()
    const answer = await emulator.send('/_emulator/settings', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: { limits },
    })
    expectStatus(answer, 400)
    expect(answer.text).toContain(JSON.stringify(words).slice(1, -1))
  })
})
