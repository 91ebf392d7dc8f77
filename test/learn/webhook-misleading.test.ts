import { expect, test } from 'vitest'
import type { Exchange } from '../../src/learn/traffic/exchange.ts'
import { evidenceOf, exchange, record } from './body-exchanges.ts'
import { learnFrom } from './webhook-rules.ts'

const start = 1_790_000_000_000

/** An order with its create call, its lookup and its two webhooks, written by hand. */
function order(
  n: number,
  {
    status = 'COMPLETED',
    body = flat,
    headers = {},
  }: {
    status?: string
    body?: (fields: Fields) => object
    headers?: Record<string, string>
  } = {},
): Exchange[] {
  const at = start + n * 60_000
  const [requestId, orderId] = [`cart-${n}-7f3a`, `ord-${n}-91bc`]
  const request = {
    requestId,
    clientId: 'shop-1',
    currencyId: 'EUR',
    fiatAmount: `${n}1.25`,
    email: `b${n}@x.example`,
  }
  const record = { orderId, orderStatus: status, requestId, clientId: 'shop-1', orderType: 'CHECKOUT' }
  const reason = {
    errorCode: '9004',
    errorDesc: 'Error occurred while the payment was processed by the payment partner',
  }
  const webhook = (event: string, later: number) =>
    exchange({
      ...{
        method: 'POST',
        path: '/hooks',
        at: at + later,
        headers: { 'content-type': 'application/json', ...headers },
      },
      body: JSON.stringify(
        body({ n, requestId, orderId, status: event, amount: request.fiatAmount, at: at + later }),
      ),
    })
  return [
    exchange({
      ...{ method: 'POST', path: '/v1/client/checkout/create-order', at, body: JSON.stringify(request) },
      response: JSON.stringify({
        requestId,
        token: `tok-${n}`,
        status: 'CREATED',
        offerInfoData: { clientId: 'shop-1' },
      }),
    }),
    webhook('CREATED', 40),
    webhook(status, 9_000),
    exchange({
      ...{ method: 'GET', path: '/v1/client/orders', at: at + 20_000 },
      query: new URLSearchParams({ requestId, clientId: 'shop-1' }),
      response: JSON.stringify({ data: [status === 'FAILED' ? { ...record, errorReason: reason } : record] }),
    }),
  ]
}

interface Fields {
  readonly n: number
  readonly requestId: string
  readonly orderId: string
  readonly status: string
  readonly amount: string
  readonly at: number
}

const flat = ({ requestId, orderId, status }: Fields): object => ({
  ...{ requestId, clientId: 'shop-1', orderId, orderStatus: status, orderType: 'CHECKOUT' },
  eventType: 'service-sdk-transaction-status',
  ...(status === 'FAILED' && { errorCode: '9004' }),
})

const several = (body: (fields: Fields) => object, count = 6): Exchange[] =>
  Array.from({ length: count }, (_, n) =>
    order(n, { body, status: n % 2 === 0 ? 'COMPLETED' : 'FAILED' }),
  ).flat()

test('further fields do not contradict a flat body; they are listed', () => {
  const body = (fields: Fields) => ({
    ...flat(fields),
    ...(fields.n === 2 && { riskScore: fields.status === 'CREATED' ? 17 : 44 }),
  })
  const learned = learnFrom(evidenceOf(several(body)), { 'webhook.format': 'flat' })
  expect(learned.of('webhook.format')).toMatchObject({
    state: 'known',
    value: 'flat',
    claim: { holds: true },
  })
  expect(learned.unexplained).toMatchObject([
    { what: 'field riskScore in webhooks', count: 2, of: 12, example: '17' },
  ])
})

test('a missing field contradicts a flat body', () => {
  const body = (fields: Fields) => {
    const { requestId, orderId, orderStatus }: Record<string, unknown> = { ...flat(fields) }
    return { requestId, orderId, orderStatus }
  }
  const learned = learnFrom(evidenceOf(several(body)), { 'webhook.format': 'flat' })
  expect(learned.of('webhook.format').value).toBe('template')
  expect(learned.contradicted()).toEqual(['webhook.format'])
})

test('a value that never changed may be fixed, unless its field says what it is', () => {
  const named = several((fields) => ({ ref: fields.requestId, status: fields.status, currency: 'EUR' }))
  expect(learnFrom(evidenceOf(named)).of('webhook.template')).toMatchObject({
    state: 'known',
    value: { ref: '${requestId}', status: '${orderStatus}', currency: '${currencyId}' },
  })
  const unnamed = several((fields) => ({ ref: fields.requestId, status: fields.status, zone: 'EUR' }))
  const finding = learnFrom(evidenceOf(unnamed)).of('webhook.template')
  expect(finding.state).toBe('unknown')
  expect(finding.evidence).toBe('`zone` may be "${currencyId}", "EUR"')
})

test('a field that nothing explains leaves the template unknown', () => {
  const body = (fields: Fields) => ({
    ...{ ref: fields.requestId, status: fields.status },
    score: (fields.n * 37 + fields.status.length * 11) % 83,
  })
  const learned = learnFrom(evidenceOf(several(body)))
  expect(learned.of('webhook.template').state).toBe('unknown')
  expect(learned.unexplained).toMatchObject([{ what: 'field score in webhooks', count: 12, of: 12 }])
})

test('a webhook with an event type of its own is no word of the service', () => {
  const strange = order(9, {
    body: (fields) => ({
      ...flat(fields),
      ...(fields.status === 'COMPLETED' && { eventType: 'account-notice' }),
    }),
  })
  const learned = learnFrom(evidenceOf([...several(flat, 12), ...strange]))
  expect(learned.of('words.events')).toMatchObject({ state: 'known', value: {} })
  expect(learned.unexplained).toMatchObject([{ what: 'event type account-notice in webhooks', count: 1 }])
})

test('words are unknown while a status was not seen', () => {
  const paid = [0, 1, 2].flatMap((n) => order(n))
  const learned = learnFrom(evidenceOf(paid))
  expect(learned.of('words.webhook')).toMatchObject({ state: 'unknown' })
  expect(learned.of('words.webhook').decide).toContain('FAILED')
  expect(learned.of('webhook.on').state).toBe('unknown')
})

test('a word that a claim does not know is contradicted by the end of the order', () => {
  const worded = several((fields) => ({
    ...flat(fields),
    orderStatus: { CREATED: 'new', COMPLETED: 'paid', FAILED: 'bad' }[fields.status],
  }))
  const learned = learnFrom(evidenceOf(worded), { 'words.webhook': { COMPLETED: 'settled' } })
  expect(learned.contradicted()).toEqual(['words.webhook'])
  expect(learned.of('words.webhook').value).toEqual({ CREATED: 'new', COMPLETED: 'paid', FAILED: 'bad' })
})

test('a header of a proxy is no header of the service, and one that nothing explains is listed', () => {
  const traced = [0, 1, 2].flatMap((n) =>
    order(n, {
      headers: { 'x-forwarded-for': '10.0.0.1', 'acme-trace': `t${(n * 7919) % 101}`, 'acme-kind': 'order' },
    }),
  )
  const learned = learnFrom(evidenceOf(traced))
  expect(learned.of('webhook.headers')).toMatchObject({ state: 'unknown' })
  expect(learned.unexplained).toMatchObject([{ what: 'header acme-trace of webhooks', count: 6, of: 6 }])
})

test('a signature that the capture has masked is not taken for none', () => {
  const masked = [0, 1, 2].flatMap((n) => order(n, { headers: { 'acme-signature': '***' } }))
  expect(learnFrom(evidenceOf(masked)).of('webhook.auth')).toMatchObject({
    state: 'unknown',
    evidence: 'the header `acme-signature` has no signature that can be read',
  })
})

test('forged webhooks, repetitions and unknown orders mislead no rule', async () => {
  const recording = await record({})
  const ids: string[] = []
  for (const scenario of [
    'happy',
    'webhook-forged',
    'fail-9004',
    'webhook-duplicate',
    'webhook-out-of-order',
    'fail-9005',
  ]) {
    ids.push(await recording.create({}, scenario))
    await recording.advance('30s')
  }
  await recording.client.simulateWebhook({ orderStatus: 'INVENTED' })
  await recording.advance('20m')
  for (const id of ids) await recording.lookUp(id)
  await recording.advance('5m')
  await recording.lookUp(ids[0] ?? '')
  const learned = learnFrom(evidenceOf(await recording.all(), recording.secrets))
  expect(learned.known()).toMatchObject({
    ...{ 'webhook.format': 'flat', 'webhook.auth': 'standard', 'webhook.legs': 'fiat', 'webhook.on': 'all' },
    ...{ 'words.webhook': {}, 'words.events': {}, 'webhook.headers': {}, 'webhook.batch': null },
  })
})
