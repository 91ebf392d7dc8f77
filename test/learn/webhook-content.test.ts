import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readSettings } from '../../src/domain/choices/read-settings.ts'
import type { SettingChanges } from '../../src/index.ts'
import type { Evidence } from '../../src/learn/evidence/evidence.ts'
import { evidenceOf, type Recording, record } from './body-exchanges.ts'
import { learnFrom } from './webhook-rules.ts'

const scenarios = [
  ...['happy', 'fail-9004', 'refund-initiated', 'fail-9005', 'happy', 'refund-partial-twice'],
  ...['fail-9004', 'refund-failed', 'refund-failed', 'refund-initiated'],
]

/** Ordinary traffic: orders that end in all ways, and lookups of each. */
async function play(recording: Recording, gap = '40s'): Promise<Evidence> {
  const ids: string[] = []
  for (const [index, scenario] of scenarios.entries()) {
    const currencyId = index % 2 === 0 ? 'USD' : 'EUR'
    const hasMore = index % 3 === 0 || index === 2
    const more = hasMore ? { metadata: { cart: `A-${index}` }, billingData: { country: 'DE' } } : {}
    ids.push(await recording.create({ currencyId, ...more }, scenario))
    await recording.advance(gap)
  }
  await recording.advance('20m')
  for (const id of ids) {
    await recording.lookUp(id)
    await recording.advance('2s')
  }
  await recording.advance('5m')
  await recording.lookUp(ids[0] ?? '')
  return evidenceOf(await recording.all(), recording.secrets)
}

/** A webhook endpoint that fails now and then. */
function unsteady(): () => number {
  let count = 0
  return () => {
    count += 1
    return count % 7 === 4 ? 500 : 200
  }
}

const evidenceUnder = async (settings: SettingChanges, gap?: string): Promise<Evidence> =>
  play(await record(settings, unsteady()), gap)

const provider = (name: string): SettingChanges =>
  parse(readFileSync(`test/match/providers/${name}.yaml`, 'utf8'))

const overlayOf = (settings: SettingChanges): Readonly<Record<string, unknown>> => {
  const reading = readSettings(settings, { scope: 'common' })
  return reading.ok ? reading.overlay : {}
}

test('traffic of the default settings shows the defaults and nothing strange', async () => {
  const learned = learnFrom(await evidenceUnder({}))
  expect(learned.known()).toEqual({
    'webhook.format': 'flat',
    'webhook.on': 'all',
    'webhook.refunds': 'none',
    'webhook.legs': 'fiat',
    'words.webhook': {},
    'words.events': {},
    'webhook.batch': null,
    'webhook.auth': 'standard',
    'webhook.signature': null,
    'webhook.headers': {},
    'refunds.failedStatus': null,
    'errors.catalog': {},
  })
  expect(learned.unexplained).toEqual([])
})

test('an envelope with words of its own, refunds and another signature', async () => {
  const settings = {
    'webhook.format': 'envelope',
    'webhook.auth': 'hmac-body',
    'webhook.refunds': 'event',
    'words.webhook': { CREATED: 'new', COMPLETED: 'paid', FAILED: 'declined', REFUND_INITIATED: 'back' },
    'words.events': { CREATED: 'order.new', COMPLETED: 'order.paid', FAILED: 'order.declined' },
    'errors.catalog': { '9005': 'Declined by the issuer' },
    'refunds.failedStatus': 'REFUND_BOUNCED',
  } as const
  const known = learnFrom(await evidenceUnder(settings)).known()
  expect(known).toMatchObject({
    ...settings,
    // The status of a failed refund has no other word.
    'words.webhook': settings['words.webhook'],
    'webhook.signature': null,
    'webhook.legs': 'fiat',
  })
})

test('tokens, both legs and webhooks of final statuses only', async () => {
  const settings = {
    'webhook.format': 'jwt',
    'webhook.jwtAlgorithm': 'HS384',
    'webhook.auth': 'none',
    'webhook.on': ['COMPLETED', 'FAILED'],
    'webhook.legs': 'both',
  } as const
  const known = learnFrom(await evidenceUnder(settings)).known()
  expect(known).toMatchObject({ ...settings, 'webhook.jwt': null })
})

test('a token of another form, keyed with the webhook secret', async () => {
  const jwt = {
    member: 'token',
    claims: { iss: 'acme', sub: '${requestId}', order: { id: '${orderId}', st: '${orderStatus}' } },
    iat: true,
    exp: '10m',
    jti: true,
    kid: 'key-7',
    secret: 'webhook-secret',
  } as const
  const evidence = await evidenceUnder({ 'webhook.format': 'jwt', 'webhook.jwt': jwt })
  const learned = learnFrom(evidence, { 'webhook.jwt': jwt })
  expect(learned.of('webhook.jwt')).toMatchObject({ state: 'known', value: jwt, claim: { holds: true } })
  expect(learned.of('webhook.jwtAlgorithm').state).toBe('unknown')
  for (const changed of [{ exp: '5m' }, { kid: 'key-8' }, { member: 'payload' }, { iat: false }])
    expect(learnFrom(evidence, { 'webhook.jwt': { ...jwt, ...changed } }).contradicted()).toEqual([
      'webhook.jwt',
    ])
})

test('a template with texts around values, times and numbers in other formats', async () => {
  const template = {
    version: '2026-09',
    live: false,
    title: 'Order ${requestId} is ${orderStatus}',
    at: '${eventTime:seconds}',
    opened: '${createdTime}',
    until: '${expiryTime:milliseconds}',
    nr: '${sequence}',
    buyer: { mail: '${email:upper}', more: '${metadata}' },
    sum: { minor: '${fiatAmount:minor}', currency: '${currencyId:lower}' },
    lines: [{ id: '${orderId}', state: '${orderStatus:lower}', error: '${errorCode}' }],
  }
  const settings = { 'webhook.format': 'template', 'webhook.template': template } as const
  const evidence = await evidenceUnder(settings)
  const learned = learnFrom(evidence, settings)
  expect(learned.of('webhook.format')).toMatchObject({ state: 'known', value: 'template' })
  console.log(learned.of('webhook.template'))
  expect(learned.of('webhook.template')).toMatchObject({ state: 'known', value: template })
  expect(learned.contradicted()).toEqual([])
  for (const changed of [{ at: '${eventTime:milliseconds}' }, { nr: 1 }, { title: '${requestId}' }])
    expect(
      learnFrom(evidence, { ...settings, 'webhook.template': { ...template, ...changed } }).contradicted(),
    ).toEqual(['webhook.template'])
})

test('the template, words, headers and recipe of the provider p1', async () => {
  const settings = provider('p1')
  const learned = learnFrom(await evidenceUnder(settings), overlayOf(settings))
  expect(learned.contradicted()).toEqual([])
  expect(learned.of('webhook.signature').value).toEqual({
    header: 'norvelle-signature',
    format: 't=${timestamp},v1=${signature}',
    signed: '${timestamp}.${body}',
  })
  expect(learned.of('webhook.auth').state).toBe('unknown')
  expect(learned.of('webhook.headers').value).toEqual({
    'norvelle-event-id': '${webhookId}',
    'norvelle-attempt': '${attempt}',
  })
  expect(learned.of('words.webhook').value).toEqual({
    ...{ CREATED: 'open', COMPLETED: 'paid', FAILED: 'failed', REFUND_INITIATED: 'pending' },
  })
  expect(learned.of('webhook.refundTemplate')).toMatchObject({
    state: 'known',
    value: {
      data: { refund: { id: '${refundId}', amount: '${refundAmount}' }, order: { metadata: '${metadata}' } },
    },
  })
  expect(learned.unexplained).toEqual([])
})

test.each(['p2', 'p3', 'p4', 'p5'])('nothing contradicts the settings of the provider %s', async (name) => {
  const settings = provider(name)
  const evidence = await evidenceUnder(settings)
  const learned = learnFrom(evidence, overlayOf(settings))
  expect(learned.contradicted()).toEqual([])
})

test.each(['p2', 'p3'])('batches of the provider %s are taken apart', async (name) => {
  const settings = provider(name)
  const learned = learnFrom(await evidenceUnder(settings, '300ms'), overlayOf(settings))
  expect(learned.contradicted()).toEqual([])
  expect(learned.of('webhook.batch').evidence).toMatch(name === 'p2' ? / 2s after/ : / 1s after/)
  expect(learned.of('webhook.template').value).toMatchObject(
    name === 'p2' ? { topic: '${eventType}' } : { eventId: '${webhookId}', proof: '${jwt}' },
  )
})

test('full batches show how many events a webhook has', async () => {
  const template = { count: '${count}', sent: '${sentTime:seconds}', events: '${events}' }
  const batch = { max: 3, within: '5s', template }
  const form = { 'webhook.format': 'template', 'webhook.batch': batch } as const
  const body = { id: '${orderId}', ref: '${requestId}', state: '${orderStatus}', at: '${eventTime:iso}' }
  const evidence = await evidenceUnder({ ...form, 'webhook.template': body }, '2s')
  const finding = learnFrom(evidence, { 'webhook.batch': batch }).of('webhook.batch')
  expect(finding).toMatchObject({ state: 'known', value: batch, claim: { holds: true } })
  const smaller = { ...batch, max: 2 }
  expect(learnFrom(evidence, { 'webhook.batch': smaller }).contradicted()).toEqual(['webhook.batch'])
})

test.each([
  [
    {
      header: 'x-sign',
      signed: '${id}.${timestamp}.${body}',
      headers: { 'x-id': '${id}', 'x-time': '${timestamp}' },
      timestamp: 'milliseconds',
      algorithm: 'sha512',
      encoding: 'base64',
    },
  ],
  [
    {
      header: 'acme-signature',
      format: 'v0=${signature}',
      signed: 'v0:${timestamp}:${body}',
      headers: { 'acme-time': '${timestamp}' },
    },
  ],
  [{ header: 'acme-signature', signed: '${url}${body}', secret: 'api-secret', encoding: 'base64url' }],
  [
    {
      header: 'acme-signature',
      signed: '${timestamp}.${bodyHash}',
      format: 't=${timestamp};s=${signature}',
      algorithm: 'sha384',
    },
  ],
] as const)('the recipe %j is found with the secrets, and unknown without', async (recipe) => {
  const recording = await record({ 'webhook.signature': recipe })
  for (const scenario of ['happy', 'fail-9004']) await recording.create({}, scenario)
  await recording.advance('1m')
  const exchanges = await recording.all()
  const learned = learnFrom(evidenceOf(exchanges, recording.secrets), { 'webhook.signature': recipe })
  expect(learned.of('webhook.signature')).toMatchObject({
    state: 'known',
    value: recipe,
    claim: { holds: true },
  })
  const blind = learnFrom(evidenceOf(exchanges)).of('webhook.signature')
  expect(blind).toMatchObject({ state: 'unknown' })
  expect(blind.decide).toContain('secret')
  const wrong = { apiSecret: 'not-this', webhookSecret: 'nor-this' }
  const other = learnFrom(evidenceOf(exchanges, wrong)).of('webhook.signature')
  expect(other).toMatchObject({ state: 'unknown' })
  expect(other.evidence).toContain('the secret that was handed in fits in no known way')
})
