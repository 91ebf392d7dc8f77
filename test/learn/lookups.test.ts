import { describe, expect, test } from 'vitest'
import { answerOddities } from '../../src/learn/rules/answers/answer-oddities.ts'
import { catalog } from '../../src/learn/rules/answers/catalog.ts'
import { cryptoLeg } from '../../src/learn/rules/answers/crypto-leg.ts'
import { lookups } from '../../src/learn/rules/answers/lookups.ts'
import { refundLookup } from '../../src/learn/rules/answers/refund-lookup.ts'
import { requestIds } from '../../src/learn/rules/answers/request-ids.ts'
import type { Exchange } from '../../src/learn/traffic/exchange.ts'
import {
  changed,
  cut,
  evidenceOf,
  failing,
  learned,
  openShop,
  RecordedShop,
  unexplainedBy,
} from './answers-exchanges.ts'

/** Orders that are looked up before their payment and after their end, under some settings. */
async function looked(settings: object = {}, scenario = 'happy') {
  const shop = await openShop({ ...settings })
  for (let n = 0; n < 3; n++) {
    const requestId = await shop.create(
      { fiatAmount: `${10 + n}.50`, currencyId: n === 2 ? 'BRL' : 'EUR' },
      scenario,
    )
    await shop.lookUpAll(requestId)
    await shop.client.clock.advance('1m')
    await shop.lookUpAll(requestId)
  }
  return shop
}

describe('values in lookups', () => {
  test.each(['sandbox-partner', 'acquirer-7'])('the partner is %s', async (partner) => {
    const { exchanges } = await looked({ 'responses.partner': partner })
    const evidence = evidenceOf(exchanges)
    expect(learned(lookups, 'responses.partner', evidence)).toMatchObject({
      state: 'known',
      value: partner,
      observations: 3,
    })
    const claim = learned(lookups, 'responses.partner', evidence, {
      claims: { 'responses.partner': 'other' },
    }).claim
    expect(claim).toMatchObject({ holds: false })
  })

  test('partners that differ from order to order contradict each other', async () => {
    const { exchanges } = await looked()
    const other = changed(exchanges, (answer, { query }) => ({
      ...answer,
      ...(Array.isArray(answer.data) && {
        data: answer.data.map((one) => ({ ...one, partner: query.get('requestId') })),
      }),
    }))
    expect(learned(lookups, 'responses.partner', evidenceOf(other)).state).toBe('contradictory')
  })

  test.each(['CRYPTOPAYIN', 'CRYPTO_IN'])('the type of crypto payins is %s', async (type) => {
    const shop = await openShop({ 'orders.cryptoPayinType': type })
    for (const kind of ['crypto-payin', 'crypto-payin', 'payout'] as const) {
      const { requestId } = await shop.client.orders.make({ kind })
      await shop.lookUpAll(requestId)
    }
    await shop.lookUpAll(await shop.create())
    expect(learned(lookups, 'orders.cryptoPayinType', evidenceOf(shop.exchanges))).toMatchObject({
      state: 'known',
      value: type,
      observations: 2,
    })
  })

  test('another type of a checkout is not that of crypto payins', async () => {
    const { exchanges } = await looked()
    const other = changed(exchanges, (answer) => ({
      ...answer,
      ...(Array.isArray(answer.data) && {
        data: answer.data.map((one) => ({ ...one, orderType: 'CRYPTO' })),
      }),
    }))
    expect(learned(lookups, 'orders.cryptoPayinType', evidenceOf(other)).state).toBe('unknown')
  })
})

describe('the crypto leg', () => {
  test.each(['always', 'after-payment', 'never'])('%s is recognised', async (value) => {
    const { exchanges } = await looked({ 'orders.cryptoLeg': value })
    const evidence = evidenceOf(exchanges)
    expect(learned(cryptoLeg, 'orders.cryptoLeg', evidence)).toMatchObject({ state: 'known', value })
    for (const claimed of ['always', 'after-payment', 'never'])
      expect(
        learned(cryptoLeg, 'orders.cryptoLeg', evidence, { claims: { 'orders.cryptoLeg': claimed } }).claim
          ?.holds,
      ).toBe(claimed === value)
  })

  test('a leg that appears late is no leg after the payment', async () => {
    const completed = await openShop()
    for (let n = 0; n < 2; n++) {
      const requestId = await completed.create({}, 'crypto-leg-late')
      for (const time of ['6s', '30s']) {
        await completed.client.clock.advance(time)
        await completed.lookUpAll(requestId)
      }
    }
    expect(learned(cryptoLeg, 'orders.cryptoLeg', evidenceOf(completed.exchanges))).toMatchObject({
      state: 'unknown',
    })
  })

  test('failed lookups and lists of other orders say nothing', async () => {
    const { exchanges } = await looked()
    const others = changed(exchanges, (answer, { method }) =>
      method === 'GET' ? { data: [{ requestId: 'another', orderId: 'x', orderStatus: 'CREATED' }] } : answer,
    )
    const failed = exchanges.map(
      (exchange): Exchange => (exchange.method === 'GET' ? { ...exchange, status: 503 } : exchange),
    )
    for (const bad of [others, failed, cut(exchanges)])
      expect(learned(cryptoLeg, 'orders.cryptoLeg', evidenceOf(bad))).toMatchObject({
        state: 'unknown',
        observations: 0,
      })
  })
})

describe('the refund lookup without a failure', () => {
  test.each(['omit', 'null', 'empty'])('%s is recognised', async (value) => {
    const shop = await looked({ 'refunds.errorReasonWhenNone': value }, 'refund-initiated')
    // A failed refund has a reason, and another with empty texts.
    for (const scenario of ['refund-failed', 'refund-failed', 'refund-empty-reason']) {
      const requestId = await shop.create({}, scenario)
      await shop.client.clock.advance('2m')
      await shop.lookUpAll(requestId)
    }
    const evidence = evidenceOf(shop.exchanges)
    expect(learned(refundLookup, 'refunds.errorReasonWhenNone', evidence)).toMatchObject({
      state: 'known',
      value,
      observations: 3,
    })
  })

  test('cut and failed answers say nothing', async () => {
    const { exchanges } = await looked()
    for (const bad of [cut(exchanges), failing(exchanges, 502)])
      expect(learned(refundLookup, 'refunds.errorReasonWhenNone', evidenceOf(bad)).state).toBe('unknown')
  })
})

describe('the catalogue of currencies', () => {
  const entries = [{ match: 'BR*', cryptoAsset: 'USDC', rate: '0.1875' }]

  test('it stays unknown, and the evidence says what was seen of it', async () => {
    const { exchanges } = await looked({ 'currencies.catalog': entries })
    const finding = learned(catalog, 'currencies.catalog', evidenceOf(exchanges))
    expect(finding).toMatchObject({ state: 'unknown', excluded: [{ value: [] }] })
    expect(finding.evidence).toContain(
      'EUR in USDT at rate 1 (2 orders); BRL in USDC at rate 0.1875 (1 orders)',
    )
  })

  test.each([
    [entries, true],
    [[], false],
    [[{ match: '*', cryptoAsset: 'USDC', rate: '0.1875' }], false],
    [[...entries, { match: 'EUR', minAmount: '11.00' }], false],
    [[...entries, { match: 'EUR', requiredFields: ['billingData'] }], false],
    [[...entries, { match: 'EUR', minAmount: '1', maxAmount: '11.50', decimals: 2 }], true],
  ])('a claim of %j holds: %s', async (value, holds) => {
    const { exchanges } = await looked({ 'currencies.catalog': entries })
    const given = { claims: { 'currencies.catalog': value } }
    expect(learned(catalog, 'currencies.catalog', evidenceOf(exchanges), given).claim?.holds).toBe(holds)
  })
})

describe('the scope of requestIds', () => {
  async function twoAccounts(scope: string) {
    const one = await openShop({ 'requestIds.scope': scope })
    const two = new RecordedShop(one.emulator, await one.emulator.createClient())
    for (const requestId of ['a', 'b', 'c']) {
      await one.create({ requestId })
      await two.create({ requestId })
      // Its own order, if it was accepted.
      await two.create({ requestId })
      await two.lookUpAll(requestId)
    }
    return [one, two] as const
  }

  test.each(['client', 'global'])('%s is recognised', async (value) => {
    const [one, two] = await twoAccounts(value)
    expect(learned(requestIds, 'requestIds.scope', evidenceOf(one.exchanges, two.exchanges))).toMatchObject({
      state: 'known',
      value,
      observations: 3,
    })
  })

  test('a refusal after a failed call, or of one account alone, says nothing', async () => {
    const [one, two] = await twoAccounts('client')
    const failed = two.exchanges.map((exchange, index) =>
      index % 5 === 0 ? { ...exchange, status: 500 } : exchange,
    )
    for (const evidence of [evidenceOf(one.exchanges, failed), evidenceOf(two.exchanges)])
      expect(learned(requestIds, 'requestIds.scope', evidence).state).toBe('unknown')
  })
})

describe('what no setting can express', () => {
  test('further fields, statuses and headers are listed with their numbers', async () => {
    const { exchanges } = await looked()
    const other = changed(exchanges, (answer, { path }) => ({
      ...answer,
      ...(path.endsWith('create-order') && { riskScore: 3, url: 'https://example.com/pay' }),
      ...(Array.isArray(answer.data) && {
        data: answer.data.map((one) => ({ ...one, orderStatus: 'PROCESSING', branch: 'x' })),
      }),
    })).map((exchange) => ({
      ...exchange,
      responseHeaders: { ...exchange.responseHeaders, 'x-api-version': '7' },
    }))
    const evidence = evidenceOf(other)
    const listed = unexplainedBy(answerOddities, evidence, { found: { 'responses.urlField': 'url' } })
    expect(listed).toContainEqual({
      what: 'field `riskScore` in answers to create calls',
      count: 3,
      of: 3,
      example: '3',
    })
    expect(listed).toContainEqual({
      what: 'header `x-api-version` of answers',
      count: 21,
      of: 21,
      example: '7',
    })
    expect(listed).toContainEqual({
      what: '`orderStatus` PROCESSING in fiat lookups',
      count: 6,
      of: 6,
      example: '{"orderStatus":"PROCESSING"}',
      remedy: 'a step of a scenario: `- { at: 5s, order: "PROCESSING" }`',
    })
    expect(listed).toContainEqual({
      what: 'field `data.branch` in records of crypto lookups',
      count: 6,
      of: 6,
      example: '"x"',
    })
    expect(listed.some(({ what }) => what.includes('`url`'))).toBe(false)
  })

  test('ordinary traffic has nothing of it', async () => {
    const { exchanges } = await looked({}, 'refund-failed')
    expect(unexplainedBy(answerOddities, evidenceOf(exchanges))).toEqual([])
  })

  test('a word that was found is no status of its own', async () => {
    const shop = await looked({ 'words.payments': { CREATED: 'PENDING' } })
    const found = { 'words.payments': { CREATED: 'PENDING' } }
    expect(unexplainedBy(answerOddities, evidenceOf(shop.exchanges), { found })).toEqual([])
    expect(unexplainedBy(answerOddities, evidenceOf(shop.exchanges))).toHaveLength(1)
  })
})
