import { describe, expect, test } from 'vitest'
import { acceptedValues } from '../../src/learn/rules/calls/accepted-values.ts'
import { createSignature } from '../../src/learn/rules/calls/create-signature.ts'
import { paths } from '../../src/learn/rules/calls/paths.ts'
import {
  contradicts,
  evidenceOf,
  exchange,
  findingOf,
  RecordedShop,
  result,
  withCurrency,
} from './calls-exchanges.ts'

describe('signature.checkout', () => {
  test.each(['either', 'short', 'with-currency'])('%s shows in accepted and refused calls', async (value) => {
    const shop = await RecordedShop.under({ 'signature.checkout': value })
    await shop.lookUp()
    for (let n = 0; n < 2; n++) {
      await shop.create()
      await shop.create({}, { text: withCurrency })
    }
    await shop.lookUp()
    expect(result(createSignature, 'signature.checkout', shop.evidence)).toEqual(['known', value])
    for (const other of ['either', 'short', 'with-currency'])
      expect(contradicts(createSignature, 'signature.checkout', shop.evidence, other)).toBe(other !== value)
  })

  test('one refusal does not decide, because a fault can answer 401', async () => {
    const shop = await RecordedShop.under({})
    await shop.create()
    await shop.create()
    await shop.client.faults.plan({ on: 'create-order', effect: { status: 401 } })
    await shop.create({}, { text: withCurrency })
    await shop.lookUp()
    const { state, left } = findingOf(createSignature, 'signature.checkout', shop.evidence)
    expect([state, left]).toEqual(['unknown', ['either', 'short']])
  })

  test('refusals with a token that is refused everywhere do not decide', async () => {
    const shop = await RecordedShop.under({})
    await shop.create()
    await shop.create()
    for (let n = 0; n < 3; n++)
      await shop.create({}, { text: withCurrency, headers: { 'access-token': 'old' } })
    await shop.lookUp()
    expect(findingOf(createSignature, 'signature.checkout', shop.evidence).left).toEqual(['either', 'short'])
  })

  test('without the secret, or with that of another account, it is unknown and says why', async () => {
    const shop = await RecordedShop.under({ 'signature.checkout': 'short' })
    await shop.create()
    await shop.create()
    const without = findingOf(createSignature, 'signature.checkout', evidenceOf(shop.exchanges))
    expect(without).toMatchObject({ state: 'unknown', decide: expect.stringContaining('the API secret') })
    const secrets = { apiSecret: 'of another account', webhookSecret: null }
    const other = findingOf(createSignature, 'signature.checkout', evidenceOf(shop.exchanges, secrets))
    expect(other).toMatchObject({
      state: 'unknown',
      evidence: 'the API secret fits the signature of none of the 2 accepted checkout calls',
    })
  })

  test('a secret that fits some accepted calls leaves the others unexplained', async () => {
    const shop = await RecordedShop.under({})
    await shop.create()
    const other = await shop.create()
    const evidence = evidenceOf(
      [...shop.exchanges, { ...other, headers: { ...other.headers, signature: 'AAAA' } }],
      shop.secrets,
    )
    expect(
      createSignature.unexplained?.(evidence, { claims: new Map(), found: () => undefined }),
    ).toMatchObject([{ count: 1, of: 3 }])
  })
})

describe('paths.webhookUrl', () => {
  test.each(['both', 'short', 'fiat'])('%s shows in calls of both paths', async (value) => {
    const shop = await RecordedShop.under({ 'paths.webhookUrl': value })
    for (const path of ['/v1/client/webhook-url', '/v1/client/fiat/webhook-url'])
      for (let n = 0; n < 2; n++)
        await shop.call('POST', path, {
          body: { webhookUrl: 'http://127.0.0.1:9/' },
          headers: { 'client-id': shop.client.clientId },
        })
    expect(result(paths, 'paths.webhookUrl', shop.evidence)).toEqual(['known', value])
    for (const other of ['both', 'short', 'fiat'])
      expect(contradicts(paths, 'paths.webhookUrl', shop.evidence, other)).toBe(other !== value)
  })

  test('a path that only failed, or answered 404 once, may exist', () => {
    const post = (seconds: number, path: string, status: number, response = '{"message":"ok"}') =>
      exchange({ seconds, method: 'POST', path: `/v1/client/${path}`, status, response, body: '{}' })
    const served = [post(0, 'webhook-url', 200), post(1, 'webhook-url', 200)]
    const once = evidenceOf([...served, post(2, 'fiat/webhook-url', 404, '<html>')])
    expect(findingOf(paths, 'paths.webhookUrl', once)).toMatchObject({
      state: 'unknown',
      left: ['both', 'short'],
    })
    const refused = [404, 404, 401].map((status, n) =>
      post(3 + n, 'fiat/webhook-url', status, '{"error":"no"}'),
    )
    expect(findingOf(paths, 'paths.webhookUrl', evidenceOf([...served, ...refused])).state).toBe('unknown')
  })
})

describe('paths.subscription', () => {
  test.each(['own', 'both'])('%s shows in signatures of checkout calls with an interval', async (value) => {
    const shop = await RecordedShop.under({ 'paths.subscription': value })
    await shop.lookUp()
    await shop.subscribe('MONTHLY', 'checkout')
    await shop.subscribe('MONTHLY', 'checkout')
    await shop.create({ interval: 'MONTHLY' })
    await shop.lookUp()
    expect(result(paths, 'paths.subscription', shop.evidence)).toEqual(['known', value])
    expect(contradicts(paths, 'paths.subscription', shop.evidence, value === 'own' ? 'both' : 'own')).toBe(
      true,
    )
  })

  test('without a secret, an accepted interval that exists says nothing, and a strange one says own', async () => {
    const shop = await RecordedShop.under({})
    await shop.create({ interval: 'MONTHLY' })
    await shop.create({ interval: 'MONTHLY' })
    expect(findingOf(paths, 'paths.subscription', evidenceOf(shop.exchanges)).state).toBe('unknown')
    await shop.create({ interval: 'HOURLY' })
    await shop.create({ interval: 'HOURLY' })
    expect(result(paths, 'paths.subscription', evidenceOf(shop.exchanges))).toEqual(['known', 'own'])
  })
})

describe('accepted values', () => {
  test('a refusal that lists the intervals tells all of them', async () => {
    const shop = await RecordedShop.under({ 'subscription.intervals': ['YEARLY', 'WEEKLY'] })
    await shop.subscribe('YEARLY')
    await shop.subscribe('DAILY')
    await shop.subscribe('MONTHLY')
    expect(result(acceptedValues, 'subscription.intervals', shop.evidence)).toEqual([
      'known',
      ['WEEKLY', 'YEARLY'],
    ])
    expect(contradicts(acceptedValues, 'subscription.intervals', shop.evidence, ['YEARLY', 'WEEKLY'])).toBe(
      false,
    )
    expect(contradicts(acceptedValues, 'subscription.intervals', shop.evidence, ['YEARLY'])).toBe(true)
  })

  test('intervals that were never tried stay open, and a fault refuses none', async () => {
    const shop = await RecordedShop.under({ 'subscription.intervals': ['MONTHLY', 'WEEKLY'] })
    await shop.subscribe('MONTHLY')
    await shop.client.faults.plan({ on: 'create-order', effect: { status: 503 }, times: 2 })
    await shop.subscribe('WEEKLY')
    await shop.subscribe('WEEKLY')
    const finding = findingOf(acceptedValues, 'subscription.intervals', shop.evidence)
    expect(finding).toMatchObject({
      state: 'unknown',
      evidence: 'accepted: MONTHLY; never tried: DAILY, WEEKLY, QUARTERLY, YEARLY',
    })
  })

  test('apps show in the list of a refusal, and never in accepted calls alone', async () => {
    const shop = await RecordedShop.under({ 'checkout.targetApps': ['nova', 'orbit'] })
    const app = (targetApp: string) => shop.create({ mode: 'returnAppUrl', targetApp })
    await app('nova')
    await app('orbit')
    expect(findingOf(acceptedValues, 'checkout.targetApps', shop.evidence).state).toBe('unknown')
    await app('INVALID_APP')
    await app('other')
    expect(result(acceptedValues, 'checkout.targetApps', shop.evidence)).toEqual(['known', ['nova', 'orbit']])
    expect(contradicts(acceptedValues, 'checkout.targetApps', shop.evidence, 'any')).toBe(true)
  })

  test('any app is never known, whatever was accepted or always refused', async () => {
    const shop = await RecordedShop.under({})
    for (const targetApp of ['nova', 'orbit', 'INVALID_APP', 'x'.repeat(101)])
      await shop.create({ mode: 'returnAppUrl', targetApp })
    expect(findingOf(acceptedValues, 'checkout.targetApps', shop.evidence).state).toBe('unknown')
    expect(contradicts(acceptedValues, 'checkout.targetApps', shop.evidence, 'any')).toBe(false)
    expect(contradicts(acceptedValues, 'checkout.targetApps', shop.evidence, ['nova'])).toBe(true)
  })

  test('refused currencies show that unknown ones are refused; accepted ones may be listed', async () => {
    const shop = await RecordedShop.under({
      'currencies.unknown': 'refuse',
      'currencies.catalog': [{ match: 'EUR' }],
    })
    await shop.create()
    await shop.create()
    expect(findingOf(acceptedValues, 'currencies.unknown', shop.evidence).state).toBe('unknown')
    await shop.create({ currencyId: 'XXX' })
    await shop.create({ currencyId: 'YYY' })
    expect(result(acceptedValues, 'currencies.unknown', shop.evidence)).toEqual(['known', 'refuse'])
    expect(contradicts(acceptedValues, 'currencies.unknown', shop.evidence, 'accept')).toBe(true)
  })

  test('a refused amount says nothing about unknown currencies', async () => {
    const shop = await RecordedShop.under({ 'currencies.catalog': [{ match: 'EUR', minAmount: '20' }] })
    await shop.create()
    await shop.create()
    expect(findingOf(acceptedValues, 'currencies.unknown', shop.evidence).state).toBe('unknown')
  })

  test.each(['refuse', 'absent'])('nulls in optional fields: %s', async (value) => {
    const shop = await RecordedShop.under({ 'validation.nullOptional': value })
    await shop.create({ userMessage: null })
    await shop.create({ firstName: null, nothing: null })
    expect(result(acceptedValues, 'validation.nullOptional', shop.evidence)).toEqual(['known', value])
    const other = value === 'refuse' ? 'absent' : 'refuse'
    expect(contradicts(acceptedValues, 'validation.nullOptional', shop.evidence, other)).toBe(true)
  })

  test('nulls in unknown fields, in required ones and beside another mistake say nothing', async () => {
    const shop = await RecordedShop.under({})
    await shop.create({ nothing: null })
    await shop.create({ email: null })
    await shop.create({ requestDescription: null, email: 'no' })
    expect(findingOf(acceptedValues, 'validation.nullOptional', shop.evidence).state).toBe('unknown')
  })
})
