import { describe, expect, test } from 'vitest'
import { paths } from '../support/client.ts'
import { expectStatus, expectVerificationFailed } from '../support/expect.ts'
import { startReceiver } from '../support/receiver.ts'
import { under } from '../support/under.ts'

const timeline = (...steps: string[]) => `timeline:\n${steps.map((step) => `  - { ${step} }\n`).join('')}`

describe('steps that wait for a lookup', () => {
  test('the n-th lookup of any kind shows the change already', async () => {
    const { c1 } = await under(timeline('lookup: 3, order: COMPLETED'))
    await c1.createCheckout('r1')
    expect((await c1.fiatOrders('r1')).record).toMatchObject({ orderStatus: 'CREATED' })
    expect((await c1.refunds('r1')).data).toEqual([])
    expect((await c1.cryptoOrders('r1')).record).toMatchObject({ orderStatus: 'COMPLETED' })
  })

  test('a kind can be named; the others count for nothing', async () => {
    const { c1 } = await under(timeline('lookup: { n: 2, of: crypto-orders }, order: COMPLETED'))
    await c1.createCheckout('r1')
    for (let n = 0; n < 5; n++) await c1.fiatOrders('r1')
    await c1.cryptoOrders('r1')
    expect((await c1.fiatOrders('r1')).record).toMatchObject({ orderStatus: 'CREATED' })
    expect((await c1.cryptoOrders('r1')).record).toMatchObject({ orderStatus: 'COMPLETED' })
  })

  test('what comes `after` counts from the lookup, and the webhook is sent', async () => {
    const receiver = await startReceiver()
    const { c1 } = await under(timeline('lookup: 1, pay: completed', 'after: 10s, order: COMPLETED'), {
      webhookUrl: receiver.url,
    })
    await c1.createCheckout('r1')
    expect((await c1.advance('1h')).nextDueAt).toBeNull()
    await c1.fiatOrders('r1')
    const { from, transitions } = await c1.advance('1h')
    expect(transitions.map(({ at, to }) => `${(at - from) / 1000} ${to}`)).toEqual(['10 COMPLETED'])
    expect(receiver.requests.map(({ json }) => json.orderStatus)).toEqual(['CREATED', 'COMPLETED'])
  })

  test('of twenty lookups at once each counts once', async () => {
    const { c1 } = await under(timeline('lookup: 20, order: COMPLETED'))
    await c1.createCheckout('r1')
    const answers = await Promise.all(Array.from({ length: 20 }, () => c1.fiatOrders('r1')))
    expect(answers.filter(({ record }) => record.orderStatus === 'COMPLETED')).toHaveLength(1)
  })

  test('a lookup that waits for nothing moves nothing, updatedTs neither', async () => {
    const { c1 } = await under(timeline('lookup: 9, order: COMPLETED'))
    await c1.createCheckout('r1')
    const before = (await c1.fiatOrders('r1')).record
    await c1.advance('1m')
    expect((await c1.fiatOrders('r1')).record).toEqual(before)
  })
})

describe('steps that wait for a date of the order', () => {
  test.each([
    ['expiry', 900],
    ['expiry + 1m', 960],
    ['expiry - 1m', 840],
  ])('at: %s is %i seconds after the creation', async (at, seconds) => {
    const { c1 } = await under(timeline(`at: ${at}, order: FAILED`))
    await c1.createCheckout('r1')
    const { from, transitions } = await c1.advance('1h')
    expect(transitions.map((one) => (one.at - from) / 1000)).toEqual([seconds, seconds])
  })

  test('an order that waits for its payer has no dates of a subscription', async () => {
    const { c1 } = await under(timeline('at: interval, order: COMPLETED'))
    await c1.createCheckout('r1')
    expect((await c1.advance('P1Y')).transitions).toEqual([])
  })
})

describe('steps that wait for the payer', () => {
  test('nothing happens before, whatever the settings say of who pays', async () => {
    const steps = timeline('at: payer, pay: completed', 'after: 3s, order: COMPLETED')
    const { c1 } = await under(steps, { settings: { orders: { autopay: 'always' } } })
    await c1.createCheckout('r1')
    expect((await c1.advance('1h')).transitions).toEqual([])
    await c1.pay('r1', 'completed')
    const { from, transitions } = await c1.advance('1h')
    expect(transitions.map(({ at, to }) => `${(at - from) / 1000} ${to}`)).toEqual(['3 COMPLETED'])
  })

  test.each([
    ['failed', 'FAILED'],
    ['abandoned', 'CREATED'],
  ] as const)('a payer whose act is %s leaves the order %s, and nothing follows', async (outcome, status) => {
    const { c1 } = await under(timeline('at: payer, pay: completed', 'after: 3s, order: COMPLETED'))
    await c1.createCheckout('r1')
    await c1.pay('r1', outcome)
    expect((await c1.advance('1h')).nextDueAt).toBeNull()
    expect((await c1.fiatOrders('r1')).record).toMatchObject({ orderStatus: status })
  })

  test('a file can have the payer fail or walk away at its own time', async () => {
    const { c1 } = await under(timeline('at: 2s, pay: failed, error: "9005"', 'after: 3s, webhook: {}'))
    await c1.createCheckout('r1')
    await c1.advance('1h')
    expect((await c1.fiatOrders('r1')).record).toMatchObject({ errorReason: { errorCode: '9005' } })
    expect(await c1.deliveries()).toHaveLength(2)
  })
})

describe('effects on the client', () => {
  test('expired tokens are refused, the own one too, until there is a new one', async () => {
    const { c1 } = await under(timeline('at: 10s, client: { tokens: expired }'))
    const issued = { headers: { 'access-token': await c1.issueToken() } }
    const query = { requestId: 'r1', clientId: 'C1' }
    await c1.createCheckout('r1')
    await c1.advance('9s')
    expectStatus(await c1.lookUp('/v1/client/orders', query, issued), 200)
    await c1.advance('1s')
    for (const how of [issued, {}]) {
      const answer = await c1.lookUp('/v1/client/orders', query, how)
      expectVerificationFailed(answer)
      expect(await c1.journalOf(answer)).toMatchObject({ diagnosis: { cause: 'token.expired' } })
    }
    const renewed = { headers: { 'access-token': await c1.issueToken() } }
    for (const how of [renewed, {}]) expectStatus(await c1.lookUp('/v1/client/orders', query, how), 200)
    expectVerificationFailed(await c1.lookUp('/v1/client/orders', query, issued))
  })

  test('refused tokens stay refused, new ones too, until the time is over', async () => {
    const { c1 } = await under(timeline('at: 0s, client: { refuseTokensFor: 2m }'))
    await c1.createCheckout('r1')
    await c1.settle()
    const renewed = { headers: { 'access-token': await c1.issueToken() } }
    const query = { requestId: 'r1', clientId: 'C1' }
    const answer = await c1.lookUp('/v1/client/orders', query, renewed)
    expectVerificationFailed(answer)
    expect(await c1.journalOf(answer)).toMatchObject({ diagnosis: { cause: 'token.refused' } })
    await c1.advance('119s')
    expectVerificationFailed(await c1.fiatOrders('r1'))
    await c1.advance('1s')
    expectStatus(await c1.fiatOrders('r1'), 200)
  })

  test('another client notices nothing', async () => {
    const { c1, c2 } = await under(timeline('at: 0s, client: { tokens: expired, refuseTokensFor: 1h }'))
    await c1.createCheckout('r1')
    await c1.settle()
    expectVerificationFailed(await c1.fiatOrders('r1'))
    expectStatus(await c2.fiatOrders('r1'), 200)
  })

  test('with expiry by scenario the clock expires no token, and this step does (N64b)', async () => {
    const { c1, emulator } = await under(timeline('at: 90d, client: { tokens: expired }'))
    await emulator.control('/settings?clientId=C1', 'PATCH', { 'auth.tokenExpiry': 'by-scenario' })
    const token = await c1.issueToken()
    const look = () =>
      c1.lookUp(paths.fiat, { requestId: 'r1', clientId: 'C1' }, { headers: { 'access-token': token } })
    await c1.createCheckout('r1')
    await c1.advance('89d')
    expectStatus(await look(), 200)
    await c1.advance('1d')
    expectVerificationFailed(await look())
  })

  test('new tokens live as long as the step says', async () => {
    const { c1, emulator } = await under(
      timeline('at: 1s, client: { tokenLifetime: 30s }', 'at: 1m, client: { tokenLifetime: usual }'),
    )
    const lifetime = async () => {
      const answer = await emulator.control('/access-token', 'POST', {
        clientId: c1.clientId,
        apiSecret: c1.apiSecret,
      })
      return answer.json.expiresIn
    }
    await c1.createCheckout('r1')
    expect(await lifetime()).toBe(1800)
    await c1.advance('1s')
    expect(await lifetime()).toBe(30)
    await c1.advance('1m')
    expect(await lifetime()).toBe(1800)
  })

  test('a webhook goes where the URL leads at the moment of sending', async () => {
    const receiver = await startReceiver()
    const { c1 } = await under(
      timeline('at: 3s, client: { webhookUrl: { addQuery: "moved=1" } }', 'at: 5s, order: COMPLETED'),
      { webhookUrl: receiver.url },
    )
    await c1.createCheckout('r1')
    await c1.advance('1m')
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/hook', '/hook?moved=1'])
  })

  test('a reset takes away what scenarios have made of the tokens', async () => {
    const { c1, emulator } = await under(timeline('at: 0s, client: { tokens: expired, refuseTokensFor: 1h }'))
    await c1.createCheckout('r1')
    await c1.settle()
    await emulator.control('/reset', 'POST', { keep: ['clients'] })
    expectStatus(await c1.fiatOrders('r1'), 200)
  })
})

describe('effects on records', () => {
  test('a refund of more than is left is cut, and the history says so', async () => {
    const { c1 } = await under(
      timeline(
        'at: 1s, order: COMPLETED',
        'at: 2s, refund: 60%',
        'at: 3s, refund: "5.00"',
        'at: 4s, refund: all',
      ),
    )
    await c1.createCheckout('r1')
    await c1.advance('1m')
    expect((await c1.refunds('r1')).data.map(({ fiatAmount }) => fiatAmount)).toEqual(['6.00', '4.00'])
    const { history } = await c1.order('r1')
    expect(history).toContainEqual(
      expect.objectContaining({ what: 'refund of 5.00 reduced to what is left, 4.00' }),
    )
    expect(history).toContainEqual(expect.objectContaining({ what: 'nothing left to refund of 10.00' }))
  })

  test('any status word, on any of the three statuses and on a refund', async () => {
    const { c1 } = await under(
      timeline(
        'at: 1s, order: ON_HOLD, payment: IN_REVIEW, settlement: PENDING',
        'at: 2s, order: COMPLETED, settlement: DONE',
        'at: 3s, refund: { amount: 30%, status: REFUND_REQUESTED }',
        'at: 4s, refundStatus: REFUNDED',
      ),
    )
    await c1.createCheckout('r1')
    await c1.advance('1s')
    expect((await c1.cryptoOrders('r1')).record).toMatchObject({
      orderStatus: 'ON_HOLD',
      paymentStatus: 'IN_REVIEW',
      settlementStatus: 'PENDING',
    })
    await c1.advance('1m')
    expect((await c1.cryptoOrders('r1')).record).toMatchObject({
      orderStatus: 'COMPLETED',
      settlementStatus: 'DONE',
    })
    expect((await c1.refunds('r1')).record).toMatchObject({ fiatAmount: '3.00', status: 'REFUNDED' })
  })

  test('metadata of a record is replaced, keys that JavaScript minds included', async () => {
    const { c1 } = await under(timeline('at: 1s, metadata: { "__proto__": { polluted: true }, emoji: "✅" }'))
    await c1.createCheckout(c1.checkout('r1', { metadata: { mine: 1 } }))
    expect((await c1.cryptoOrders('r1')).text).toContain('"metadata":{"mine":1}')
    await c1.advance('1s')
    expect((await c1.cryptoOrders('r1')).text).toContain(
      '"metadata":{"__proto__":{"polluted":true},"emoji":"✅"}',
    )
  })

  test('a crypto leg of its own fails alone, with its reason on the fiat record only if that failed', async () => {
    const { c1 } = await under(timeline('at: 1s, order: COMPLETED', 'at: 2s, crypto: { order: FAILED }'))
    await c1.createCheckout('r1')
    await c1.advance('1m')
    expect((await c1.fiatOrders('r1')).record).toMatchObject({ orderStatus: 'COMPLETED' })
    expect((await c1.cryptoOrders('r1')).record).toMatchObject({ orderStatus: 'FAILED' })
    expect((await c1.cryptoOrders('r1')).record).not.toHaveProperty('txnHash')
  })

  test('settings of a file hold for its orders and for no others', async () => {
    const { c1 } = await under(
      `settings: { orders: { expiry: 1h } }\n${timeline('at: 1s, order: COMPLETED')}`,
    )
    const expiry = async (requestId: string, scenario: string) => {
      const answer = await c1.createCheckout(requestId, { headers: { 'emulator-scenario': scenario } })
      return JSON.parse(answer.text).offerInfoData.expiryTs.slice(11, 16)
    }
    expect(await expiry('r1', 'mine')).toBe('17:00')
    expect(await expiry('r2', 'happy')).toBe('16:15')
  })
})
