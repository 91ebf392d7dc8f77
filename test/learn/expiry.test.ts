import { expect, test } from 'vitest'
import { expiry } from '../../src/learn/rules/answers/expiry.ts'
import { changed, cut, evidenceOf, failing, learned, openShop } from './answers-exchanges.ts'

async function created(settings: object, count = 3) {
  const shop = await openShop({ ...settings })
  for (let n = 0; n < count; n++) {
    await shop.create()
    await shop.client.clock.advance('7m13s')
  }
  return shop.exchanges
}

test.each([
  ['15m', 6, '+00:00'],
  ['45s', 0, '-03:00'],
  ['26h', 3, '+05:30'],
  ['1h30m', 9, '+14:00'],
])(
  'orders that expire after %s, with %i digits and the offset %s, are recognised',
  async (length, digits, offset) => {
    const settings = { 'orders.expiry': length, 'time.expiryFraction': digits, 'time.offset': offset }
    const evidence = evidenceOf(await created(settings))
    expect(learned(expiry, 'orders.expiry', evidence)).toMatchObject({ state: 'known' })
    for (const [setting, value] of Object.entries({ 'time.expiryFraction': digits, 'time.offset': offset }))
      expect(expiry.learn(evidence, { claims: new Map(), found: () => undefined })).toContainEqual(
        expect.objectContaining({ setting, state: 'known', value }),
      )
    const claimed = (value: string) =>
      learned(expiry, 'orders.expiry', evidence, { claims: { 'orders.expiry': value } }).claim?.holds
    expect([claimed(length), claimed('2h'), claimed('soon')]).toEqual([true, false, false])
  },
)

test('one create call makes a value likely only', async () => {
  const evidence = evidenceOf(await created({}, 1))
  for (const setting of expiry.settings) expect(learned(expiry, setting, evidence).state).toBe('likely')
})

test('a slow answer widens the interval, and an answer without a duration leaves a second', async () => {
  const slow = (await created({})).map((exchange) => ({ ...exchange, ms: 40_000, at: exchange.at - 38_000 }))
  expect(learned(expiry, 'orders.expiry', evidenceOf(slow))).toMatchObject({ state: 'known', value: '15m' })
  const silent = (await created({})).map((exchange) => ({ ...exchange, ms: null, at: exchange.at - 900 }))
  expect(learned(expiry, 'orders.expiry', evidenceOf(silent))).toMatchObject({ state: 'known', value: '15m' })
})

test('the clock of the service is read from its `Date` headers', async () => {
  const ahead = (await created({})).map((exchange) => ({
    ...exchange,
    at: exchange.at - 3 * 3_600_000,
    responseHeaders: { ...exchange.responseHeaders, date: new Date(exchange.at).toUTCString() },
  }))
  expect(learned(expiry, 'orders.expiry', evidenceOf(ahead))).toMatchObject({ state: 'known', value: '15m' })
})

test('cut and failed answers, and times without an offset, say nothing', async () => {
  const exchanges = await created({})
  const local = changed(exchanges, (answer) => ({
    ...answer,
    offerInfoData: { expiryTs: '2026-11-27 13:20:04' },
  }))
  for (const bad of [cut(exchanges), failing(exchanges, 500), local])
    for (const setting of expiry.settings)
      expect(learned(expiry, setting, evidenceOf(bad))).toMatchObject({ state: 'unknown', observations: 0 })
})

test('lengths that differ from order to order contradict each other', async () => {
  const exchanges = await created({})
  let minutes = 0
  const different = changed(exchanges, (answer) => {
    const offer = Object(answer.offerInfoData)
    minutes += 10
    const expiryTs = new Date(Date.parse(offer.expiryTs) + minutes * 60_000)
      .toISOString()
      .replace('Z', '+00:00')
    return { ...answer, offerInfoData: { ...offer, expiryTs } }
  })
  expect(learned(expiry, 'orders.expiry', evidenceOf(different)).state).toBe('contradictory')
})

test('clocks that differ by less than two seconds make no length known that is not round', async () => {
  const early = (await created({})).map((exchange) => ({ ...exchange, at: exchange.at - 1300 }))
  expect(learned(expiry, 'orders.expiry', evidenceOf(early)).state).toBe('likely')
})

test('an expiry before its create call, by another clock, says nothing', async () => {
  const other = (await created({})).map((exchange) => ({ ...exchange, at: exchange.at + 86_400_000 }))
  expect(learned(expiry, 'orders.expiry', evidenceOf(other))).toMatchObject({
    state: 'unknown',
    observations: 0,
  })
  const some = (await created({})).map((exchange, n) => ({
    ...exchange,
    at: exchange.at + n * 900_000,
    ms: 3_000_000,
  }))
  expect(learned(expiry, 'orders.expiry', evidenceOf(some)).state).not.toBe('known')
})
