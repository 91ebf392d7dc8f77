import { expect, test } from 'vitest'
import type { SettingChanges } from '../../src/index.ts'
import type { Exchange } from '../../src/learn/traffic/exchange.ts'
import { evidenceOf, exchange, type Recording, record } from './body-exchanges.ts'
import { learnFrom } from './webhook-rules.ts'

/** Plays orders of some scenarios, and looks up each. */
async function play(recording: Recording, scenarios: readonly string[], fields: object = {}) {
  const ids: string[] = []
  for (const scenario of scenarios) {
    ids.push(await recording.create(fields, scenario))
    await recording.advance('40s')
  }
  await recording.advance('20m')
  for (const id of ids) await recording.lookUp(id)
  return ids
}

const ends = ['happy', 'fail-9004', 'happy', 'fail-9005', 'happy', 'fail-9004', 'happy', 'fail-9005']
const refunded = ['refund-initiated', 'refund-partial-twice', 'refund-initiated']

/** Orders of all ends, and subscriptions whose later charges nobody looks up. */
async function withCharges(settings: SettingChanges) {
  const recording = await record(settings)
  await play(recording, ends)
  await play(recording, ['happy', 'happy', 'happy'], { interval: 'MONTHLY' })
  await recording.advance('33d')
  return learnFrom(evidenceOf(await recording.all(), recording.secrets), settings)
}

const bodyOfOrders = {
  id: '${webhookId}',
  order: {
    number: '${orderId}',
    reference: '${requestId}',
    merchant: '${clientId}',
    state: '${orderStatus}',
  },
  failure: { code: '${errorCode}', text: '${errorMessage}' },
}

const templated = { 'webhook.format': 'template', 'webhook.template': bodyOfOrders } as const

test('a charge that no lookup shows is not taken for one that was looked up', async () => {
  const learned = await withCharges({ ...templated, 'webhook.on': ['COMPLETED', 'FAILED'] })
  expect(learned.contradicted()).toEqual([])
  expect(learned.of('webhook.template').value).toEqual(bodyOfOrders)
})

test('tokens about charges that no lookup shows have the claims of an envelope all the same', async () => {
  const jwt = { member: 'signedPayload', kid: 'key-7' } as const
  const settings = { 'webhook.format': 'jwt', 'webhook.jwt': jwt } as const
  const learned = await withCharges({ ...settings, 'webhook.on': ['COMPLETED', 'FAILED'] })
  expect(learned.of('webhook.jwt')).toMatchObject({ state: 'known', value: jwt, claim: { holds: true } })
})

test('an id that names the order in most webhooks is no id of the others', async () => {
  const recording = await record({ ...templated, 'webhook.on': ['COMPLETED', 'FAILED'] })
  const [, second = ''] = await play(recording, ends)
  // Each charge has a webhook: the order has several ids.
  await play(recording, ['happy'], { interval: 'MONTHLY' })
  await recording.advance('65d')
  const exchanges = changed(await recording.all(), second, (text) =>
    text.replace(/"number":"[^"]*"/, '"number":"strange-3810"'),
  )
  const { state, left } = learnFrom(evidenceOf(exchanges, recording.secrets)).of('webhook.template')
  expect(state).toBe('unknown')
  expect(JSON.stringify(left)).not.toContain('"number":"${webhookId}"')
})

/** Webhooks about one order with another body. */
const changed = (exchanges: readonly Exchange[], requestId: string, change: (text: string) => string) =>
  exchanges.map((each) =>
    each.path === '/hooks' && each.body?.includes(requestId) === true
      ? { ...each, body: change(each.body) }
      : each,
  )

test.each([
  { what: 'refused', status: 400, response: { message: 'requestId is used already' } },
  { what: 'accepted', status: 200, response: { token: 'tok-of-another', status: 'CREATED' } },
])('a create call of another account with the same requestId, $what, changes no webhook', async (other) => {
  const recording = await record(templated)
  await play(recording, ends)
  const ids = [await recording.create({}, 'happy'), await recording.create({}, 'happy')]
  await recording.advance('1m')
  const exchanges = await recording.all()
  const doubled = ids.map((requestId) => {
    const create = exchanges.find(({ method, body }) => method === 'POST' && body?.includes(requestId))
    const input = { ...JSON.parse(create?.body ?? ''), clientId: 'merchant-8', email: 'other@x.example' }
    return exchange({
      ...{ method: 'POST', path: '/v1/client/checkout/create-order', at: (create?.at ?? 0) + 10 },
      ...{ body: JSON.stringify(input), status: other.status },
      response: JSON.stringify({ requestId, ...other.response }),
    })
  })
  const learned = learnFrom(evidenceOf([...exchanges, ...doubled], recording.secrets), templated)
  expect(learned.contradicted()).toEqual([])
  expect(learned.of('webhook.template').value).toEqual(bodyOfOrders)
})

test('webhooks that orders of two accounts can have are left out', async () => {
  const template = { ref: '${requestId}', state: '${orderStatus}', mail: '${email}' }
  const settings = { 'webhook.format': 'template', 'webhook.template': template } as const
  const recording = await record(settings)
  const [first = ''] = await play(recording, ends)
  const exchanges = await recording.all()
  const create = exchanges.find(({ body }) => body?.includes(first))
  const input = { ...JSON.parse(create?.body ?? ''), clientId: 'merchant-8', email: 'other@x.example' }
  const other = { ...exchanges[0], at: (create?.at ?? 0) + 10, body: JSON.stringify(input) }
  const doubled = exchange({ method: 'POST', path: '/v1/client/checkout/create-order', ...other })
  const learned = learnFrom(evidenceOf([...exchanges, doubled]), settings)
  expect(learned.contradicted()).toEqual([])
  expect(learned.of('webhook.template')).toMatchObject({ state: 'known', value: template })
})

test('a type of crypto legs that no lookup shows is no other format', async () => {
  const settings = {
    'webhook.legs': 'both',
    'orders.cryptoLeg': 'never',
    'orders.cryptoPayinType': 'PAYIN',
  } as const
  const recording = await record(settings)
  await play(recording, ends)
  const known = learnFrom(evidenceOf(await recording.all(), recording.secrets)).known()
  expect(known).toMatchObject({ 'webhook.format': 'flat', 'webhook.legs': 'both' })
})

test('two webhooks of one change that differ in their ids only are those of two legs', async () => {
  const recording = await record({ ...templated, 'webhook.legs': 'both' })
  await play(recording, ends)
  const learned = learnFrom(evidenceOf(await recording.all()), { 'webhook.legs': 'fiat' })
  expect(learned.of('webhook.legs')).toMatchObject({ state: 'known', value: 'both', claim: { holds: false } })
})

test('a webhook that is sent again with another id, because it was refused, is none of a second leg', async () => {
  const recording = await record(templated)
  await play(recording, ends)
  const again = (await recording.all()).flatMap((each) => {
    if (each.path !== '/hooks') return [each]
    const { 'webhook-id': id = '', ...headers } = each.headers
    const other = `${id}_again`
    const retry = { ...each, at: each.at + 1000, headers: { ...headers, 'webhook-id': other } }
    return [
      { ...each, status: 500 },
      { ...retry, body: each.body?.replaceAll(id, other) ?? null },
    ]
  })
  const learned = learnFrom(evidenceOf(again), { 'webhook.legs': 'fiat' })
  expect(learned.of('webhook.legs')).toMatchObject({ state: 'unknown', claim: { holds: true } })
})

test.each([null, 'REFUNDED'] as const)(
  'the status %j of orders beside refunds is read at the place that only refunds have',
  async (status) => {
    const template = {
      refund: { number: '${refundId}', state: '${refundStatus}', amount: '${refundAmount}' },
      order: { number: '${orderId}', reference: '${requestId}', state: '${statusOfOrder}' },
    }
    const settings = {
      ...{ ...templated, 'webhook.refunds': 'event', 'webhook.refundTemplate': template },
      ...{
        'refunds.failedStatus': 'REFUND_FAILED',
        ...(status !== null && { 'refunds.orderStatus': status }),
      },
    } as const
    const recording = await record(settings)
    const failed = ['refund-failed', 'refund-failed']
    await play(recording, [...ends, ...failed, ...refunded, 'refund-partial-twice'])
    const learned = learnFrom(evidenceOf(await recording.all()), settings)
    expect(learned.contradicted()).toEqual([])
    expect(learned.of('refunds.orderStatus')).toMatchObject({ state: 'known', value: status })
    expect(learned.of('webhook.refundTemplate').value).toMatchObject({ order: template.order })
  },
)

test('refunds have no template of their own where that of orders explains their bodies', async () => {
  const recording = await record({ ...templated, 'webhook.refunds': 'event' })
  const [first = ''] = await play(recording, [...ends, ...refunded])
  const all = await recording.all()
  expect(learnFrom(evidenceOf(all)).of('webhook.refundTemplate')).toMatchObject({ value: null })
  // What is unclear about a field of orders is no reason to give refunds another template.
  const unclear = changed(all, first, (text) => text.replace(/"number":"[^"]*"/, '"number":"strange-3810"'))
  expect(learnFrom(evidenceOf(unclear)).of('webhook.refundTemplate')).toMatchObject({ value: null })
})

/** Refunds with a template that differs from that of orders in the amount only. */
async function refundsOf(scenarios: readonly string[], hasOwn = true) {
  const template = { ref: '${requestId}', state: '${orderStatus}', amount: '${fiatAmount}' }
  const own = { ...template, amount: '${refundAmount}' }
  const recording = await record({
    ...{ 'webhook.format': 'template', 'webhook.template': template, 'webhook.refunds': 'event' },
    ...(hasOwn && { 'webhook.refundTemplate': own }),
  })
  await play(recording, [...ends, ...scenarios])
  return { own, finding: learnFrom(evidenceOf(await recording.all())).of('webhook.refundTemplate') }
}

test('refunds of the whole amount do not show whose amount webhooks have', async () => {
  const whole = ['refund-initiated', 'refund-initiated', 'refund-initiated']
  expect((await refundsOf(whole)).finding).toMatchObject({ state: 'unknown' })
  expect((await refundsOf([...whole, 'refund-partial-twice'])).finding).toMatchObject({ state: 'unknown' })
  const partial = [...whole, 'refund-partial-twice', 'refund-partial-twice']
  const { own, finding } = await refundsOf(partial)
  expect(finding).toMatchObject({ state: 'known', value: own })
  expect((await refundsOf(partial, false)).finding).toMatchObject({ state: 'known', value: null })
})

test('a token with another claim is no reason to name claims, nor to name none', async () => {
  const recording = await record({ 'webhook.format': 'jwt', 'webhook.jwt': { kid: 'key-7' } })
  const [first = ''] = await play(recording, ends)
  const exchanges = await recording.all()
  const token = (text: string) => JSON.parse(text).payload.split('.')
  const claims = (text: string) => Buffer.from(token(text)[1], 'base64url').toString('utf8')
  let count = 0
  const tampered = exchanges.map((each) => {
    if (each.path !== '/hooks' || each.body === null || !claims(each.body).includes(first) || count++ > 0)
      return each
    const [head, , signature] = token(each.body)
    const other = claims(each.body).replace(/"orderId":"[^"]*"/, '"orderId":"strange-3810"')
    const payload = [head, Buffer.from(other).toString('base64url'), signature].join('.')
    return { ...each, body: JSON.stringify({ payload }) }
  })
  const finding = learnFrom(evidenceOf(tampered, recording.secrets)).of('webhook.jwt')
  expect(finding).toMatchObject({ state: 'unknown' })
  expect(finding.evidence).toContain('15 of 16 tokens')
})

test('a word for a status that webhooks leave out is not known to be missing', async () => {
  const settings = {
    'webhook.on': ['COMPLETED', 'FAILED'],
    'words.webhook': { CREATED: 'open', COMPLETED: 'paid' },
    'words.events': { CREATED: 'order.created', COMPLETED: 'order.paid' },
  } as const
  const recording = await record(settings)
  await play(recording, ends)
  const evidence = evidenceOf(await recording.all(), recording.secrets)
  const learned = learnFrom(evidence, settings)
  expect(learned.of('webhook.on')).toMatchObject({ state: 'known', value: settings['webhook.on'] })
  for (const name of ['words.webhook', 'words.events'] as const) {
    expect(learned.of(name)).toMatchObject({ state: 'unknown', claim: { holds: true } })
    expect(learned.of(name).evidence).toContain(settings[name].COMPLETED)
    expect(learned.of(name).decide).toContain('CREATED')
  }
  expect(learnFrom(evidence, { 'words.webhook': {} }).contradicted()).toEqual(['words.webhook'])
})
