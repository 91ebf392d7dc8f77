import { describe, expect, test } from 'vitest'
import type { SettingChanges } from '../../src/index.ts'
import { solveFees } from '../../src/learn/answers/fees.ts'
import { amounts } from '../../src/learn/rules/answers/amounts.ts'
import { createAnswer } from '../../src/learn/rules/answers/create-answer.ts'
import { paymentUrls } from '../../src/learn/rules/answers/payment-urls.ts'
import { changed, cut, evidenceOf, failing, learned, openShop } from './answers-exchanges.ts'

/** Traffic of create calls with and without `mode`, under some settings. */
async function creations(settings: SettingChanges = {}) {
  const shop = await openShop(settings)
  for (const mode of ['returnUrl', 'returnUrl', undefined])
    await shop.create(mode === undefined ? {} : { mode })
  await shop.create({ mode: 'returnAppUrl', targetApp: 'bank' })
  for (let n = 0; n < 2; n++) await shop.create({ interval: 'MONTHLY', mode: 'returnUrl' })
  return shop
}

describe('the URL that `mode` asks for', () => {
  test.each(['url', 'payUrl', 'offerInfoData.link.web'])('its field %s is recognised', async (field) => {
    const { exchanges } = await creations({ 'responses.urlField': field })
    expect(learned(paymentUrls, 'responses.urlField', evidenceOf(exchanges))).toMatchObject({
      state: 'known',
      value: field,
    })
  })

  test('another URL in the same answers leaves two, and an answer without `mode` decides', async () => {
    const { exchanges } = await creations()
    const both = changed(exchanges, (answer) => ({ ...answer, terms: 'https://example.com/terms' }))
    const asked = both.filter(({ body }) => body?.includes('"mode"'))
    expect(learned(paymentUrls, 'responses.urlField', evidenceOf(asked))).toMatchObject({
      state: 'unknown',
      left: ['url', 'terms'],
    })
    expect(learned(paymentUrls, 'responses.urlField', evidenceOf(both))).toMatchObject({
      state: 'known',
      value: 'url',
    })
  })

  test('a claim about the field fails when the field has another name, and holds otherwise', async () => {
    const { exchanges } = await creations({ 'responses.urlField': 'payUrl' })
    const claimed = (value: string) =>
      learned(paymentUrls, 'responses.urlField', evidenceOf(exchanges), {
        claims: { 'responses.urlField': value },
      }).claim
    expect(claimed('payUrl')).toEqual({ holds: true })
    expect(claimed('url')).toMatchObject({ holds: false, times: 5 })
  })

  test('cut, failed and foreign answers say nothing', async () => {
    const { exchanges } = await creations()
    const foreign = changed(exchanges, (answer) => ({ ...answer, requestId: 'another' }))
    for (const bad of [cut(exchanges), failing(exchanges, 503), foreign])
      for (const setting of paymentUrls.settings)
        expect(learned(paymentUrls, setting, evidenceOf(bad))).toMatchObject({
          state: 'unknown',
          observations: 0,
        })
  })
})

describe('the address of payment pages', () => {
  test.each(['/pay', '/checkout'])('the path %s is recognised without a base', async (path) => {
    const { exchanges } = await creations({ 'paths.paymentPage': path })
    expect(learned(paymentUrls, 'paths.paymentPage', evidenceOf(exchanges))).toMatchObject({
      state: 'known',
      value: path,
    })
  })

  test('with one address of the caller, a fixed base may be the same', async () => {
    const { exchanges, emulator } = await creations()
    expect(learned(paymentUrls, 'publicBaseUrl', evidenceOf(exchanges))).toMatchObject({
      state: 'unknown',
      left: [null, emulator.url],
    })
  })

  test('pages at each of two addresses of the caller have no base, and their path may have two names', async () => {
    const { exchanges, emulator } = await creations({ 'paths.paymentPage': '/shop/checkout' })
    const other = 'http://emulator.test:4600'
    const mixed = exchanges.map((exchange, index) =>
      index % 2 === 0
        ? exchange
        : {
            ...exchange,
            origin: other,
            response: exchange.response?.replaceAll(emulator.url, other) ?? null,
          },
    )
    expect(learned(paymentUrls, 'publicBaseUrl', evidenceOf(mixed))).toMatchObject({
      state: 'known',
      value: null,
    })
    expect(learned(paymentUrls, 'paths.paymentPage', evidenceOf(mixed))).toMatchObject({
      state: 'known',
      value: '/shop/checkout',
    })
  })

  test('a base of its own is recognised, unless its path could belong to the pages', async () => {
    const one = await creations({ publicBaseUrl: 'https://pay.example.com' })
    expect(learned(paymentUrls, 'publicBaseUrl', evidenceOf(one.exchanges))).toMatchObject({
      state: 'known',
      value: 'https://pay.example.com',
    })
    const two = await creations({
      publicBaseUrl: 'https://example.com/shop',
      'paths.paymentPage': '/checkout',
    })
    for (const setting of ['publicBaseUrl', 'paths.paymentPage'] as const)
      expect(learned(paymentUrls, setting, evidenceOf(two.exchanges))).toMatchObject({ state: 'unknown' })
  })

  test('a claimed base holds in any spelling that the setting accepts', async () => {
    const { exchanges } = await creations({ publicBaseUrl: 'https://pay.example.com' })
    const claimed = (value: unknown) =>
      learned(paymentUrls, 'publicBaseUrl', evidenceOf(exchanges), { claims: { publicBaseUrl: value } }).claim
    expect(claimed('https://pay.example.com/')).toEqual({ holds: true })
    expect(claimed(null)).toMatchObject({ holds: false })
    expect(claimed('https://example.com')).toMatchObject({ holds: false })
  })

  test('a Host header that differs from the address of the capture is an address too', async () => {
    const { exchanges, emulator } = await creations()
    const proxied = exchanges.map((exchange) => ({
      ...exchange,
      origin: 'https://api.example.com',
      headers: { ...exchange.headers, host: new URL(emulator.url).host },
      response: exchange.response?.replaceAll('http://', 'https://') ?? null,
    }))
    expect(learned(paymentUrls, 'publicBaseUrl', evidenceOf(proxied)).left).toContain(null)
  })
})

describe('further fields of create answers', () => {
  test.each(['ALL', 'ANY_METHOD'])('the method without a paymentMethodId is %s', async (method) => {
    const shop = await openShop({ 'responses.selectedPaymentMethod': method })
    await shop.create()
    await shop.create({ paymentMethodId: '' })
    for (let n = 0; n < 3; n++) await shop.create({ paymentMethodId: 'CARD' })
    expect(
      learned(createAnswer, 'responses.selectedPaymentMethod', evidenceOf(shop.exchanges)),
    ).toMatchObject({
      state: 'known',
      value: method,
      observations: 2,
    })
  })

  test.each([
    ['like-checkout', 'url'],
    ['compact', 'url'],
    ['compact', 'offerInfoData.url'],
  ])('a subscription is answered %s with the URL in %s', async (value, field) => {
    const { exchanges } = await creations({ 'responses.subscription': value, 'responses.urlField': field })
    expect(learned(createAnswer, 'responses.subscription', evidenceOf(exchanges))).toMatchObject({
      state: 'known',
      value,
    })
  })

  test('one create call is not enough', async () => {
    const shop = await openShop()
    await shop.create()
    expect(learned(createAnswer, 'responses.selectedPaymentMethod', evidenceOf(shop.exchanges)).state).toBe(
      'likely',
    )
    expect(learned(createAnswer, 'responses.subscription', evidenceOf(shop.exchanges)).state).toBe('unknown')
  })
})

/** Orders of some amounts, looked up. */
async function charged(settings: SettingChanges, sums: readonly string[]) {
  const shop = await openShop(settings)
  for (const fiatAmount of sums) await shop.lookUpAll(await shop.create({ fiatAmount }))
  return evidenceOf(shop.exchanges)
}

describe('fees', () => {
  test.each([
    [{ percentage: '2.9', fixed: '0.30' }, ['10.00', '25', '20000.00'], 'known'],
    [{ percentage: '1.2345' }, ['10.00', '99.90', '20000.00'], 'known'],
    [{ percentage: '2.9' }, ['10.00', '49.99', '120.00'], 'likely'],
    [{ fixed: '0.35' }, ['10.00', '25.00', '80.00'], 'known'],
    [null, ['10.00', '25.00'], 'known'],
    [null, ['5', '7'], 'known'],
  ] as const)('%j is found', async (fee, sums, state) => {
    const settings = fee === null ? {} : { 'amounts.fee': fee, 'responses.feeField': 'offerInfoData.fee' }
    const evidence = await charged(settings, sums)
    expect(learned(amounts, 'amounts.fee', evidence)).toMatchObject({ state, value: fee })
    expect(learned(amounts, 'responses.feeField', evidence)).toMatchObject(
      fee === null ? { state: 'unknown' } : { state: 'known', value: 'offerInfoData.fee' },
    )
  })

  test.each([
    [{ percentage: '3' }, ['10.00', '10.00']],
    [{ fixed: '0.30' }, ['10.00', '10.00']],
    [{ percentage: '0.06' }, ['5.00', '6.00']],
  ])('%j is not found from %j, which other fees explain too', async (fee, sums) => {
    const finding = learned(amounts, 'amounts.fee', await charged({ 'amounts.fee': fee }, sums))
    expect(finding.state).toBe('unknown')
  })

  test('fees without a field of their own have none', async () => {
    const evidence = await charged({ 'amounts.fee': { fixed: '0.35' } }, ['10.00', '25.00'])
    expect(learned(amounts, 'responses.feeField', evidence)).toMatchObject({ state: 'known', value: null })
  })

  test('fees in steps are no percentage and no fixed amount', async () => {
    const shop = await openShop()
    for (const fiatAmount of ['10.00', '50.00', '100.00', '1000.00']) await shop.create({ fiatAmount })
    const totals = new Map(
      Object.entries({ '10.00': '11.00', '50.00': '51.00', '100.00': '105.00', '1000.00': '1006.00' }),
    )
    const stepped = changed(shop.exchanges, (answer) => {
      const offer = Object(answer.offerInfoData)
      return { ...answer, offerInfoData: { ...offer, totalFiatAmount: totals.get(offer.totalFiatAmount) } }
    })
    expect(learned(amounts, 'amounts.fee', evidenceOf(stepped))).toMatchObject({ state: 'unknown', left: [] })
  })

  test('a claimed fee is checked with every amount', async () => {
    const evidence = await charged({ 'amounts.fee': { percentage: '2.9' } }, ['10.00', '49.99'])
    const claimed = (value: unknown) =>
      learned(amounts, 'amounts.fee', evidence, { claims: { 'amounts.fee': value } }).claim
    expect(claimed({ percentage: '2.9' })).toEqual({ holds: true })
    expect(claimed({ percentage: '2.90', fixed: '0' })).toEqual({ holds: true })
    expect(claimed({ percentage: '3.9' })).toMatchObject({ holds: false, times: 2 })
    expect(claimed(null)).toMatchObject({ holds: false, times: 2 })
  })

  test('the solver never excludes the fees that were charged', () => {
    for (const units of [500, 29_000, 12_345, 150_001, 999_999])
      for (const fixed of [0, 1, 30, 250]) {
        const pairs = [999, 1000, 4999, 123_456, 50_000_000].map((cents) => {
          const total = cents + Math.floor((cents * units) / 1_000_000 + fixed + 0.5)
          return { amount: (cents / 100).toFixed(2), total: (total / 100).toFixed(2) }
        })
        const { fees, isOnly } = solveFees(pairs)
        expect(isOnly).toBe(true)
        expect(fees).toEqual([
          { percentage: String(units / 10_000), ...(fixed > 0 && { fixed: (fixed / 100).toFixed(2) }) },
        ])
      }
  })
})

describe('the spelling of amounts', () => {
  test.each(['as-sent', 'two-decimals'])('%s is recognised', async (value) => {
    const evidence = await charged({ 'amounts.echo': value }, ['10', '7.5', '3.00'])
    expect(learned(amounts, 'amounts.echo', evidence)).toMatchObject({
      state: 'known',
      value,
      observations: 2,
    })
  })

  test.each(['as-sent', 'two-decimals'])('%s is recognised in lookups in spite of fees', async (value) => {
    const evidence = await charged({ 'amounts.echo': value, 'amounts.fee': { percentage: '0.04' } }, [
      '10',
      '7.5',
    ])
    expect(learned(amounts, 'amounts.echo', evidence)).toMatchObject({ state: 'known', value })
  })

  test('amounts of two decimals say nothing', async () => {
    const evidence = await charged({ 'amounts.echo': 'two-decimals' }, ['10.00', '7.50'])
    expect(learned(amounts, 'amounts.echo', evidence).state).toBe('unknown')
  })
})
