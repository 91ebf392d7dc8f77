import { describe, expect, test } from 'vitest'
import { orderEnd } from '../../src/learn/rules/answers/order-end.ts'
import { statusWords } from '../../src/learn/rules/answers/status-words.ts'
import { changed, cut, evidenceOf, failing, learned, openShop } from './answers-exchanges.ts'

/** Orders that nobody pays, looked up before and after their expiry. */
async function expired(settings: object = {}, scenario = 'never-pays') {
  const shop = await openShop({ ...settings })
  for (let n = 0; n < 3; n++) {
    const requestId = await shop.create({}, scenario)
    await shop.lookUpAll(requestId)
    await shop.client.clock.advance('20m')
    await shop.lookUpAll(requestId)
  }
  return shop
}

/** An order that is paid at once, and completed a day later. */
const slow = {
  id: 'slow',
  description: 'Completed a day after the payment',
  timeline: [
    { at: '2s', pay: 'completed' },
    { at: '26h', order: 'COMPLETED' },
  ],
}

const stale = (answer: Record<string, unknown>, orderStatus: string) => ({
  ...answer,
  ...(Array.isArray(answer.data) && {
    data: answer.data.map(({ errorReason: _, ...one }) => ({ ...one, orderStatus })),
  }),
})

describe('what happens at the expiry', () => {
  test.each(['keep', 'fail', 'abandon'])('%s is recognised', async (value) => {
    const evidence = evidenceOf((await expired({ 'orders.onExpiry': value })).exchanges)
    expect(learned(orderEnd, 'orders.onExpiry', evidence)).toMatchObject({
      state: 'known',
      value,
      observations: 3,
    })
    for (const claimed of ['keep', 'fail', 'abandon'])
      expect(
        learned(orderEnd, 'orders.onExpiry', evidence, { claims: { 'orders.onExpiry': claimed } }).claim
          ?.holds,
      ).toBe(claimed === value)
  })

  test.each(['keep', 'fail', 'abandon'])('%s is recognised by fiat lookups alone', async (value) => {
    const { exchanges } = await expired({ 'orders.onExpiry': value })
    const fiat = exchanges.filter(({ path }) => !path.endsWith('crypto-orders'))
    expect(learned(orderEnd, 'orders.onExpiry', evidenceOf(fiat))).toMatchObject({ state: 'known', value })
  })

  test('orders that were paid, that failed before, or that have not expired say nothing', async () => {
    const shop = await openShop({ 'orders.onExpiry': 'abandon' })
    await shop.client.scenarios.put('slow', slow)
    for (const scenario of [
      'slow',
      'happy',
      'fail-9004',
      'underpaid-failed',
      'paid-then-failed',
      'unknown-status',
    ]) {
      const requestId = await shop.create({}, scenario)
      await shop.lookUpAll(requestId)
      await shop.client.clock.advance('20m')
      await shop.lookUpAll(requestId)
    }
    const open = await shop.create({}, 'never-pays')
    await shop.client.clock.advance('14m')
    await shop.lookUpAll(open)
    expect(learned(orderEnd, 'orders.onExpiry', evidenceOf(shop.exchanges))).toMatchObject({
      state: 'unknown',
      observations: 0,
    })
  })

  test('stale and unknown statuses of failed orders mislead nobody', async () => {
    const { exchanges } = await expired({
      'orders.onExpiry': 'fail',
      'words.payments': { FAILED: 'DECLINED' },
    })
    for (const status of ['CREATED', 'ON_REVIEW']) {
      const bad = changed(exchanges, (answer) => stale(answer, status))
      expect(learned(orderEnd, 'orders.onExpiry', evidenceOf(bad)).state).toBe('unknown')
    }
  })

  test('cut, failed and foreign answers say nothing', async () => {
    const { exchanges } = await expired({ 'orders.onExpiry': 'fail' })
    const foreign = changed(exchanges, (answer) => ({
      ...answer,
      requestId: 'another',
      data: [{ orderStatus: 'FAILED' }],
    }))
    for (const bad of [cut(exchanges), failing(exchanges, 500), foreign])
      expect(learned(orderEnd, 'orders.onExpiry', evidenceOf(bad)).state).toBe('unknown')
  })

  test('a capture whose clock is another one says nothing', async () => {
    const { exchanges } = await expired()
    const stopped = exchanges.map((exchange) => ({ ...exchange, at: exchange.at + 300 * 86_400_000 }))
    expect(learned(orderEnd, 'orders.onExpiry', evidenceOf(stopped)).state).not.toBe('known')
  })
})

describe('words for the status of orders', () => {
  test.each([[{}], [{ ABANDONED: 'EXPIRED' }]])('%j is likely', async (words) => {
    const { exchanges } = await expired({ 'orders.onExpiry': 'abandon', 'words.orders': words })
    const evidence = evidenceOf(exchanges)
    expect(learned(statusWords, 'words.orders', evidence)).toMatchObject({ state: 'likely', value: words })
    for (const claimed of [{}, { ABANDONED: 'EXPIRED' }, { ABANDONED: 'EXPIRED', ON_REVIEW: 'CHECKED' }])
      expect(
        learned(statusWords, 'words.orders', evidence, { claims: { 'words.orders': claimed } }).claim?.holds,
      ).toBe('ABANDONED' in claimed === 'ABANDONED' in words)
  })

  test('documented statuses say nothing', async () => {
    const { exchanges } = await expired({ 'orders.onExpiry': 'fail' }, 'happy')
    const evidence = evidenceOf(exchanges)
    const given = { claims: { 'words.orders': { ABANDONED: 'EXPIRED' } } }
    expect(learned(statusWords, 'words.orders', evidence, given)).toMatchObject({
      state: 'unknown',
      claim: { holds: true },
    })
  })

  test('a status that a claim gives another word contradicts it', async () => {
    const { exchanges } = await expired({}, 'happy')
    const other = changed(exchanges, (answer) => stale(answer, 'PROCESSING'))
    const claimed = (words: object) =>
      learned(statusWords, 'words.orders', evidenceOf(other), { claims: { 'words.orders': words } }).claim
        ?.holds
    expect(claimed({ PROCESSING: 'IN_WORK' })).toBe(false)
    expect(claimed({ ON_REVIEW: 'PROCESSING' })).toBe(true)
  })
})

describe('words for the status of payments', () => {
  const cases: readonly object[] = [{}, { CREATED: 'PENDING' }, { CREATED: 'PENDING', FAILED: 'DECLINED' }]

  test.each(cases)('%j is recognised', async (words) => {
    const shop = await openShop({ ...{ 'words.payments': { ...words } } })
    for (const scenario of [
      'fail-9004',
      'fail-9004',
      'paid-then-failed',
      'underpaid-failed',
      'happy',
      'crypto-leg-late',
    ]) {
      const requestId = await shop.create({}, scenario)
      await shop.lookUpAll(requestId)
      await shop.client.clock.advance('40s')
      await shop.lookUpAll(requestId)
    }
    const evidence = evidenceOf(shop.exchanges)
    expect(learned(statusWords, 'words.payments', evidence)).toMatchObject({ state: 'known', value: words })
    for (const claimed of cases)
      expect(
        learned(statusWords, 'words.payments', evidence, { claims: { 'words.payments': claimed } }).claim
          ?.holds,
      ).toBe(JSON.stringify(claimed) === JSON.stringify(words))
  })

  test('without a failed order, the word for FAILED is open', async () => {
    const { exchanges } = await expired({ 'words.payments': { CREATED: 'PENDING' } })
    const finding = learned(statusWords, 'words.payments', evidenceOf(exchanges))
    expect(finding).toMatchObject({ state: 'unknown', left: [] })
    expect(finding.evidence).toContain('PENDING for CREATED')
  })

  test('stale records of failed orders are no new orders', async () => {
    const { exchanges } = await expired({ 'words.payments': { FAILED: 'DECLINED' } }, 'fail-9004')
    const bad = changed(exchanges, (answer, { path }) =>
      path.endsWith('crypto-orders') ? stale(answer, 'CREATED') : answer,
    )
    expect(learned(statusWords, 'words.payments', evidenceOf(bad)).state).not.toBe('known')
  })
})

describe('words for the status of refunds', () => {
  async function refunded(words: object, more: object = {}) {
    const shop = await openShop({ 'words.refunds': words, ...more })
    await shop.client.scenarios.put('refunded', {
      id: 'refunded',
      description: 'A refund that ends',
      timeline: [
        { at: '2s', pay: 'completed' },
        { at: '5s', order: 'COMPLETED' },
        { at: '1m', refund: 'all' },
        { at: '2m', refundStatus: 'REFUNDED' },
      ],
    })
    for (let n = 0; n < 2; n++) {
      const requestId = await shop.create({}, 'refunded')
      for (const time of ['90s', '90s']) {
        await shop.client.clock.advance(time)
        await shop.lookUp('fiat-refunds', requestId)
      }
    }
    return shop
  }

  test.each([
    [{}, 'known'],
    [{ REFUNDED: 'SETTLED' }, 'likely'],
  ])('%j is %s', async (words, state) => {
    const evidence = evidenceOf((await refunded(words)).exchanges)
    expect(learned(statusWords, 'words.refunds', evidence)).toMatchObject({ state, value: words })
    for (const claimed of [{}, { REFUNDED: 'SETTLED' }])
      expect(
        learned(statusWords, 'words.refunds', evidence, { claims: { 'words.refunds': claimed } }).claim
          ?.holds,
      ).toBe(JSON.stringify(claimed) === JSON.stringify(words))
  })

  test('the status of failed refunds is no word for REFUNDED', async () => {
    const shop = await openShop({ 'refunds.failedStatus': 'REFUND_FAILED' })
    for (let n = 0; n < 2; n++) {
      const requestId = await shop.create({}, 'refund-failed')
      for (const time of ['70s', '30s']) {
        await shop.client.clock.advance(time)
        await shop.lookUp('fiat-refunds', requestId)
      }
    }
    expect(learned(statusWords, 'words.refunds', evidenceOf(shop.exchanges)).state).toBe('unknown')
  })
})
