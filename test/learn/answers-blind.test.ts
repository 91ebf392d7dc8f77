import { expect, test } from 'vitest'
import { type SettingName, settingsSchema } from '../../src/domain/choices/settings.ts'
import { canonical } from '../../src/learn/elimination/eliminate.ts'
import type { Finding } from '../../src/learn/elimination/finding.ts'
import type { Evidence } from '../../src/learn/evidence/evidence.ts'
import { amounts } from '../../src/learn/rules/answers/amounts.ts'
import { answerOddities } from '../../src/learn/rules/answers/answer-oddities.ts'
import { catalog } from '../../src/learn/rules/answers/catalog.ts'
import { createAnswer } from '../../src/learn/rules/answers/create-answer.ts'
import { cryptoLeg } from '../../src/learn/rules/answers/crypto-leg.ts'
import { ids } from '../../src/learn/rules/answers/ids.ts'
import { lookups } from '../../src/learn/rules/answers/lookups.ts'
import { orderEnd } from '../../src/learn/rules/answers/order-end.ts'
import { paymentUrls } from '../../src/learn/rules/answers/payment-urls.ts'
import { refundLookup } from '../../src/learn/rules/answers/refund-lookup.ts'
import { requestIds } from '../../src/learn/rules/answers/request-ids.ts'
import { statusWords } from '../../src/learn/rules/answers/status-words.ts'
import { evidenceOf, learned, openShop, RecordedShop, unexplainedBy } from './answers-exchanges.ts'

const rules = [
  ...[createAnswer, paymentUrls, amounts, ids, lookups, cryptoLeg, refundLookup, orderEnd, statusWords],
  ...[catalog, requestIds],
]

/** Values of each setting; the first one is the default. */
const values: readonly (readonly [SettingName, readonly unknown[]])[] = [
  ['responses.urlField', ['url', 'payUrl', 'offerInfoData.link', 'links.pay']],
  ['publicBaseUrl', [null, 'https://pay.example.com', 'https://example.com/shop']],
  ['paths.paymentPage', ['/pay', '/checkout', '/a/b']],
  ['responses.partner', ['sandbox-partner', 'acquirer']],
  ['responses.selectedPaymentMethod', ['ALL', 'ANY']],
  ['amounts.echo', ['as-sent', 'two-decimals']],
  ['amounts.fee', [null, { percentage: '2.9', fixed: '0.30' }, { percentage: '1.2345' }, { fixed: '0.50' }]],
  ['responses.feeField', [null, 'fee', 'offerInfoData.fee']],
  ['orders.ids', [null, 'PO-${createdAt:yyyymmdd}-${digits:6}', 'ord_${hex:24}', '${ulid}', 'v1-${hex:16}']],
  ['orders.refundIds', [null, 'RF${digits:9}', 're_${base62:24}']],
  ['orders.tokens', [null, 'tok_${hex:40}', '${base62:32}']],
  ['orders.orderIdEqualsToken', [false, true]],
  ['orders.cryptoPayinType', ['CRYPTOPAYIN', 'PAYIN']],
  ['orders.cryptoLeg', ['always', 'after-payment', 'never']],
  ['refunds.errorReasonWhenNone', ['omit', 'null', 'empty']],
  ['words.orders', [{}, { ABANDONED: 'EXPIRED' }, { ABANDONED: 'TIMED_OUT', ON_REVIEW: 'CHECKED' }]],
  ['words.payments', [{}, { CREATED: 'PENDING' }, { CREATED: 'NEW', FAILED: 'DECLINED' }]],
  ['words.refunds', [{}, { REFUNDED: 'SETTLED' }]],
  ['responses.subscription', ['like-checkout', 'compact']],
  ['orders.onExpiry', ['keep', 'fail', 'abandon']],
  ['currencies.catalog', [[], [{ match: 'BR*', cryptoAsset: 'BTC', rate: '0.00001234' }]]],
  ['requestIds.scope', ['client', 'global']],
]

/** The n-th selection of values. */
function settingsNumber(n: number): Record<string, unknown> {
  let state = n * 7919 + 1
  const next = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor(state / 65_536)
  }
  const chosen = values.map(([name, list]) => [name, list[n === 0 ? 0 : next() % list.length]] as const)
  const settings = Object.fromEntries(chosen.filter(([, value]) => value !== null))
  if (settings['orders.orderIdEqualsToken'] === true) delete settings['orders.ids']
  return settings
}

/** Traffic of an application that is correct, and of a second account, with failures and faulty answers among it. */
async function traffic(settings: Record<string, unknown>): Promise<Evidence> {
  const shop = await openShop({ ...settings }, { clientId: 'shop' })
  const { clock } = shop.client
  const play = async (scenario: string, fields: object = {}, wait = '2m') => {
    const requestId = await shop.create({ ...fields }, scenario)
    await shop.lookUpAll(requestId)
    await clock.advance(wait)
    await shop.lookUpAll(requestId)
  }
  const sums = ['10', '25.00', '49.99', '7.5', '20000.00', '120', '33.33', '1.00']
  for (const [n, fiatAmount] of sums.entries())
    await play(n % 2 === 0 ? 'happy' : 'refund-initiated', {
      fiatAmount,
      ...(n % 3 === 0 && { mode: 'returnUrl' }),
    })
  for (const scenario of [
    'fail-9004',
    'fail-9004',
    'refund-failed',
    'unknown-status',
    'underpaid-failed',
    'lookup-flaky',
  ])
    await play(scenario, scenario === 'lookup-flaky' ? { currencyId: 'BRL', fiatAmount: '12.34' } : {})
  for (const scenario of ['create-500-order-exists', 'create-500-no-order', 'expired-failed'])
    await play(scenario, {}, '1m')
  for (let n = 0; n < 2; n++) await play('never-pays', { currencyId: 'BRL' }, '20m')
  for (let n = 0; n < 6; n++) await play('refund-initiated')
  for (let n = 0; n < 2; n++) await play('happy', { interval: 'MONTHLY', mode: 'returnUrl' }, 'P2M')
  for (let n = 0; n < 2; n++)
    await shop.lookUpAll((await shop.client.orders.make({ kind: 'crypto-payin' })).requestId)
  await shop.client.faults.plan({ on: 'orders', effect: { status: 503 }, times: 1 })
  await play('happy')
  const other = new RecordedShop(shop.emulator, await shop.emulator.createClient({ clientId: 'other' }))
  await other.client.clock.advanceTo(await clock.now())
  for (const requestId of [`${shop.client.clientId}-r1`, `${shop.client.clientId}-r2`])
    await other.create({ requestId })
  return evidenceOf(shop.exchanges, other.exchanges)
}

const same = (name: SettingName, a: unknown, b: unknown): boolean =>
  canonical(settingsSchema.shape[name].parse(a)) === canonical(settingsSchema.shape[name].parse(b))

test.each(Array.from({ length: 8 }, (_, n) => n))(
  'settings number %i: no known value is wrong, and each true one holds',
  async (n) => {
    const settings = settingsNumber(n)
    const evidence = await traffic(settings)
    const claims = Object.fromEntries(values.map(([name, [fallback]]) => [name, settings[name] ?? fallback]))
    const findings = rules.flatMap((rule) =>
      rule.settings.map((setting): Finding => learned(rule, setting, evidence, { claims })),
    )
    const stated = findings.filter(({ state }) => state === 'known' || state === 'likely')
    const wrong = stated.filter(({ setting, value }) => !same(setting, value, claims[setting]))
    // A word for a status that was not seen stays open, so that value is only likely.
    expect(wrong.filter(({ setting, state }) => state === 'known' || setting !== 'words.orders')).toEqual([])
    expect(findings.filter(({ state }) => state === 'contradictory')).toEqual([])
    expect(findings.filter(({ claim }) => claim?.holds === false)).toEqual([])
    expect(stated.length).toBeGreaterThanOrEqual(15)
    const found = Object.fromEntries(stated.map(({ setting, value }) => [setting, value]))
    expect(
      unexplainedBy(answerOddities, evidence, { found }).filter(({ what }) => !what.includes('Status')),
    ).toEqual([])
  },
)

/** Single changes that show in this traffic. */
const changes = values
  .filter(([name]) => !['responses.feeField', 'words.orders', 'words.refunds'].includes(name))
  .map(([name, [, changed]]) => [name, changed] as const)

test.each(changes)('a change of %s contradicts the claim about it, and no other', async (name, value) => {
  const evidence = await traffic({ [name]: value })
  const claims = Object.fromEntries(values.map(([setting, [fallback]]) => [setting, fallback]))
  const failed = rules.flatMap((rule) =>
    rule.settings.filter((setting) => learned(rule, setting, evidence, { claims }).claim?.holds === false),
  )
  expect(failed).toEqual([name])
})
