import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readSettingsFile } from '../../src/domain/choices/read-settings.ts'
import { infoOf, type SettingName, settingsSchema } from '../../src/domain/choices/settings.ts'
import type { SettingChanges } from '../../src/index.ts'
import { canonical } from '../../src/learn/elimination/eliminate.ts'
import type { Claims } from '../../src/learn/elimination/finding.ts'
import { acceptedValues } from '../../src/learn/rules/calls/accepted-values.ts'
import { createSignature } from '../../src/learn/rules/calls/create-signature.ts'
import { errorWords } from '../../src/learn/rules/calls/error-words.ts'
import { paths } from '../../src/learn/rules/calls/paths.ts'
import { rateLimits } from '../../src/learn/rules/calls/rate-limits.ts'
import { refusals } from '../../src/learn/rules/calls/refusals.ts'
import { tokenRoute } from '../../src/learn/rules/calls/token-route.ts'
import { tokens } from '../../src/learn/rules/calls/tokens.ts'
import { RecordedShop, withCurrency } from './calls-exchanges.ts'

const rules = [createSignature, paths, acceptedValues, refusals, errorWords, tokens, tokenRoute, rateLimits]
const names = rules.flatMap(({ settings }) => settings)

const accounts: readonly SettingChanges[] = [
  {},
  {
    'signature.checkout': 'short',
    'paths.webhookUrl': 'fiat',
    'errors.validationStatus': 422,
    'errors.template': { error: { code: '${code}', message: '${message}', id: '${errorId}' } },
    'errors.codes': { 422: 4220, 429: 'SLOW', 503: 'DOWN' },
    'auth.oneToken': true,
    'auth.tokenLifetime': '1h',
    'auth.tokenRoute': {
      path: '/oauth/token',
      accepts: ['json', 'form'],
      answer: { t: '${accessToken}', type: 'x' },
    },
    limits: [
      {
        on: ['create-order', 'orders'],
        max: 12,
        per: '1m',
        headers: { 'RateLimit-Remaining': '${remaining}' },
      },
    ],
  },
  {
    'signature.checkout': 'with-currency',
    'paths.subscription': 'both',
    'validation.nullOptional': 'absent',
    'subscription.intervals': ['WEEKLY', 'MONTHLY'],
    'errors.validationTemplate': {
      status: '${status}',
      problems: [{ at: '${problems.pointer}', rule: '${problems.rule}', text: '${problems.reason}' }],
    },
    'errors.rules': { required: 'missing', 'fiatAmount.format': 'decimals' },
    'auth.tokenLifetime': '20m',
    limits: [{ on: 'orders', max: 6, per: '20s', each: 'token' }],
  },
  {
    'errors.validationStatus': 409,
    'errors.template': {
      title: '${reason}',
      detail: '${message}',
      request: '${requestId}',
      at: '${time:seconds}',
    },
    'errors.messages': { 503: 'Come back later', 409: 'Look at your input' },
    'checkout.targetApps': ['nova'],
    'currencies.unknown': 'refuse',
    'currencies.catalog': [
      { match: 'E*', requiredFields: ['requestDescription'] },
      { match: 'USD', decimals: 0 },
    ],
    'auth.tokenExpiry': 'by-scenario',
    'auth.tokenLifetime': '5m',
  },
  {
    'errors.template': ['${first.field}', '${first.rule}', { text: '${message}' }],
    'errors.validationTemplate': { field: '${first.field}', why: '${first.reason}', code: '${code}' },
    'errors.codes': { 400: 'E1' },
    'errors.reasons': { required: 'is mandatory' },
    limits: [
      { on: ['orders'], max: 5, per: '10s' },
      { on: ['create-order'], max: 8, per: '1h' },
    ],
  },
]

/** The settings of the providers of other tests, by dotted name. */
const providers = ['p1', 'p2', 'p3', 'p4', 'p5'].map((name): SettingChanges => {
  const file = `test/match/providers/${name}.yaml`
  const read = readSettingsFile(readFileSync(file, 'utf8'), file)
  return 'overlay' in read ? read.overlay : {}
})

/** Traffic with everything in it: mistakes, faults, tokens and too many calls. */
async function traffic(settings: SettingChanges): Promise<RecordedShop> {
  const shop = await RecordedShop.under(settings)
  const { clock, faults, clientId, apiSecret } = shop.client
  const path = Object(settings['auth.tokenRoute']).path
  const body = { clientId, apiSecret }
  for (let round = 0; round < 4; round++) {
    const old = await shop.token(path, { body })
    await shop.lookUp({ 'access-token': old })
    await clock.advance('3s')
    const token = await shop.token(path, { body })
    await shop.lookUp({ 'access-token': token })
    await shop.lookUp({ 'access-token': old })
    await shop.lookUp({ 'access-token': token })
    for (const text of [undefined, withCurrency])
      await shop.create({ requestDescription: 'x' }, text && { text })
    await faults.plan({ on: 'create-order', effect: { status: [401, 422, 503, 429][round] } })
    await shop.create({ requestDescription: 'x', currencyId: 'XXX' }, { text: withCurrency })
    await shop.create({ email: undefined }, { text: withCurrency })
    await shop.create({ fiatAmount: '1.234', firstName: null })
    await shop.create({ fiatAmount: '5.5', firstName: null, currencyId: 'USD' }, { text: withCurrency })
    await shop.create({ mode: 'returnAppUrl', targetApp: ['nova', 'orbit', 'INVALID_APP', ''][round] })
    await clock.advance('5s')
    await shop.subscribe(['MONTHLY', 'DAILY', 'HOURLY', 'WEEKLY'][round] ?? '')
    await shop.subscribe('MONTHLY', 'checkout')
    for (const url of ['webhook-url', 'fiat/webhook-url'])
      await shop.call('POST', `/v1/client/${url}`, {
        body: { webhookUrl: round === 1 ? 'no' : 'http://127.0.0.1:9/' },
        headers: { 'client-id': clientId },
      })
    await shop.call('POST', '/v1/client/simulate-webhook', {
      body: 'x',
      headers: { 'content-type': 'text/plain' },
    })
    await faults.plan({ on: 'crypto-orders', effect: { status: [500, 503, 429, 502][round] } })
    await shop.lookUp({}, 'request-1', 'crypto-orders')
    for (let n = 0; n < 8; n++) await shop.lookUp()
    await shop.lookUp({}, '')
    await clock.advance(round === 2 ? '26m' : '90s')
    await shop.lookUp({ 'access-token': token })
    await shop.lookUp()
  }
  return shop
}

/** A value without differences that make no difference, as a settings file reads it: `600s` is `10m`. */
function plain(name: SettingName, value: unknown): string {
  if (name === 'subscription.intervals' && Array.isArray(value)) return canonical(value.toSorted())
  const read = settingsSchema.shape[name].safeParse(value ?? undefined)
  return canonical(read.success ? read.data : { invalid: value })
}

describe.each([...accounts, ...providers].map((settings, index) => [index, settings] as const))(
  'account %i',
  (_, settings) => {
    const hidden = (name: SettingName): unknown => settings[name] ?? infoOf(name).fallback

    test('what is known is right, and drift finds nothing', async () => {
      const shop = await traffic(settings)
      const claims: Claims = new Map(names.map((name) => [name, hidden(name)]))
      const context = { claims, found: () => undefined }
      const findings = rules.flatMap((rule) => rule.learn(shop.evidence, { ...context, claims: new Map() }))
      expect(findings.map(({ setting }) => setting)).toEqual(names)
      for (const { setting, state, value } of findings)
        if (state === 'known')
          expect([setting, plain(setting, value)]).toEqual([setting, plain(setting, hidden(setting))])
      const judged = rules.flatMap((rule) => rule.learn(shop.evidence, context))
      for (const { setting, claim } of judged) expect([setting, claim]).toEqual([setting, { holds: true }])
    })
  },
)
