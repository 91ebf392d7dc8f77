import { expect, test } from 'vitest'
import { readSettings } from '../../../src/domain/choices/read-settings.ts'
import {
  choicesTable,
  defaultSettings,
  effectiveSettings,
  layered,
  mergeOverlay,
} from '../../../src/domain/choices/settings.ts'

const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `N${from + index}`)

const tokenRoute = (route: object) => ({ 'auth.tokenRoute': { path: '/oauth/token', ...route } })

/** The problems that `readSettings` reports. */
function complaints(
  input: unknown,
  options: Parameters<typeof readSettings>[1] = { scope: 'common' },
): string[] {
  const reading = readSettings(input, options)
  return reading.ok ? [] : reading.problems.map(({ message }) => message)
}

function accepted(input: unknown): unknown {
  const reading = readSettings(input, { scope: 'common' })
  return reading.ok ? reading.overlay : reading.problems
}

test('every choice is there once; N37 is unused', () => {
  const nested = [...'abcdefghijk'].map((letter) => `N64${letter}`)
  const expected = [...numbered(1, 36), ...numbered(38, 63), ...nested, ...numbered(65, 85)]
  expect(
    choicesTable()
      .map(({ n }) => n)
      .toSorted(),
  ).toEqual(expected.toSorted())
})

test('every choice says what is open, what is done and why, in one line each', () => {
  for (const { open, choice, reason } of choicesTable()) {
    for (const text of [open, choice, reason]) expect(text).toMatch(/^\S.*[.`]$/)
    expect(reason.length).toBeLessThanOrEqual(110)
  }
})

test('the settings and their defaults are these', () => {
  expect(defaultSettings).toEqual({
    'checkout.targetApps': null,
    'currencies.catalog': [],
    'currencies.unknown': 'accept',
    'responses.urlField': 'url',
    publicBaseUrl: null,
    'orders.expiry': 900_000,
    'orders.onExpiry': 'keep',
    'time.expiryFraction': 6,
    'time.offset': '+00:00',
    'requestIds.scope': 'client',
    'signature.checkout': 'either',
    'paths.webhookUrl': 'both',
    'paths.subscription': 'own',
    'subscription.intervals': ['MONTHLY'],
    'responses.subscription': 'like-checkout',
    'errors.validationStatus': 400,
    'validation.nullOptional': 'refuse',
    'errors.catalog': {},
    'errors.codes': {},
    'errors.messages': {},
    'errors.rules': {},
    'errors.reasons': {},
    'errors.template': null,
    'errors.validationTemplate': null,
    limits: [],
    'webhook.format': 'flat',
    'webhook.jwtAlgorithm': 'HS256',
    'webhook.template': null,
    'webhook.auth': 'standard',
    'webhook.signTime': 'wall',
    'webhook.on': null,
    'webhook.legs': 'fiat',
    'webhook.refunds': 'none',
    'webhook.retry.max': 10,
    'webhook.retry.base': 1_000,
    'webhook.retry.cap': 600_000,
    'orders.ids': null,
    'orders.refundIds': null,
    'orders.tokens': null,
    'responses.partner': 'sandbox-partner',
    'responses.selectedPaymentMethod': 'ALL',
    'amounts.echo': 'as-sent',
    'amounts.fee': null,
    'responses.feeField': null,
    'paths.paymentPage': '/pay',
    'webhook.batch': null,
    'webhook.retry.schedule': null,
    'webhook.retry.after': 'honour',
    'webhook.gone': 'pause',
    'webhook.accept': ['2xx'],
    'webhook.timeout': 5_000,
    'webhook.rotation.overlap': 86_400_000,
    'webhook.order': 'per-order',
    'webhook.disableAfter': null,
    'webhook.signature': null,
    'webhook.jwt': null,
    'orders.cryptoLeg': 'always',
    'orders.orderIdEqualsToken': false,
    'orders.cryptoPayinType': 'CRYPTOPAYIN',
    'refunds.errorReasonWhenNone': 'omit',
    'auth.tokenRoute': null,
    'auth.oneToken': false,
    'auth.tokenLifetime': 1_800_000,
    'auth.tokenExpiry': 'after-lifetime',
    'orders.autopay': 'unless-page',
    'scenarios.amounts': 'on',
    'webhook.headers': {},
    'words.webhook': {},
    'words.events': {},
    'words.orders': {},
    'words.payments': {},
    'words.refunds': {},
    'webhook.refundTemplate': null,
    'refunds.failedStatus': null,
    'refunds.orderStatus': null,
  })
})

test('every default is a value that its setting takes', () => {
  for (const { settings } of choicesTable()) {
    for (const setting of settings) expect(complaints({ [setting.name]: setting.default })).toEqual([])
  }
})

test.each([
  [{ signature: { checkout: 'short' } }, { 'signature.checkout': 'short' }],
  [{ 'signature.checkout': 'short' }, { 'signature.checkout': 'short' }],
  [{ webhook: { 'retry.max': 3, timeout: '2s' } }, { 'webhook.retry.max': 3, 'webhook.timeout': '2s' }],
  [{ 'webhook.retry': { max: 3 } }, { 'webhook.retry.max': 3 }],
  [{ auth: { tokenRoute: { path: '/oauth/token' } } }, { 'auth.tokenRoute': { path: '/oauth/token' } }],
  [{ errors: { catalog: { '9007': 'Late' } } }, { 'errors.catalog': { '9007': 'Late' } }],
  [{ signature: {}, orders: { expiry: undefined } }, {}],
  [{ signature: null }, { 'signature.checkout': null }],
])('%j is read by dotted names, with values as written', (input, overlay) => {
  expect(accepted(input)).toEqual(overlay)
})

test.each([
  [
    { signature: { chekout: 'short' } },
    'unknown setting `signature.chekout`; did you mean `signature.checkout`?',
  ],
  [
    { 'signature.chekout': 'short' },
    'unknown setting `signature.chekout`; did you mean `signature.checkout`?',
  ],
  [{ signatur: { checkout: 'short' } }, 'unknown setting `signatur`; did you mean `signature`?'],
  [{ 'webhook.retyr': { max: 1 } }, 'unknown setting `webhook.retyr`; did you mean `webhook.retry`?'],
  [{ expiry: '3m' }, 'unknown setting `expiry`; did you mean `orders.expiry`?'],
  [{ colour: 'red' }, 'unknown setting `colour`'],
  [JSON.parse('{"__proto__":{"signature.checkout":"short"}}'), 'unknown setting `__proto__`'],
  [{ constructor: 'x' }, 'unknown setting `constructor`'],
  [{ 'line\nend': 1 }, 'unknown setting `line\\nend`'],
  [{ signature: 'short' }, '`signature` is a group; its settings are signature.checkout'],
  [{ signature: ['short'] }, '`signature` is a group; its settings are signature.checkout'],
  [{ signature: { checkout: 'short' }, 'signature.checkout': 'either' }, '`signature.checkout` is set twice'],
  [[], 'expected an object of settings, not a list'],
  [null, 'expected an object of settings, not null'],
  ['short', 'expected an object of settings, not "short"'],
])('%j names no setting: %s', (input, message) => {
  expect(complaints(input)).toEqual([message])
})

test.each([
  [
    { 'signature.checkout': 'shrt' },
    '`signature.checkout`: expected `either`, `short` or `with-currency`, not "shrt"; did you mean `short`?',
  ],
  [
    { 'orders.orderIdEqualsToken': 'yes' },
    '`orders.orderIdEqualsToken`: expected `true` or `false`, not "yes"',
  ],
  [{ 'checkout.targetApps': 'APP' }, '`checkout.targetApps`: expected `any` or a list, not "APP"'],
  [{ 'errors.validationStatus': '400' }, '`errors.validationStatus`: expected a number, not "400"'],
  [
    { 'errors.validationStatus': 399 },
    '`errors.validationStatus`: must be at least 400 (allowed: a status from 400 to 499)',
  ],
  [
    { 'webhook.timeout': '61s' },
    '`webhook.timeout`: is out of range (allowed: a duration from `1ms` to `60s`)',
  ],
  [{ 'webhook.on': ['COMPLETED', 9] }, '`webhook.on`: expected text, not 9; put it in quotes'],
  [
    { 'currencies.catalog': [{ match: 'brl_*', dcimals: 2 }] },
    '`currencies.catalog`: unknown key `dcimals`; did you mean `decimals`?',
  ],
  [{ 'currencies.catalog': [{ decimals: 2 }] }, '`currencies.catalog`: `match` is missing'],
])('%j is answered %s', (input, message) => {
  expect(complaints(input)).toEqual([message])
})

test.each<[unknown, string]>([
  [{ 'orders.expiry': '0s' }, 'an expiry at once'],
  [{ 'orders.expiry': 'P1M' }, 'a duration without a fixed length'],
  [{ 'webhook.retry.max': 51 }, 'too many attempts'],
  [{ 'webhook.retry.max': 1.5 }, 'half an attempt'],
  [{ 'webhook.retry.base': '0ms' }, 'no wait at all'],
  [{ 'webhook.accept': 302 }, 'a redirect, which is not followed'],
  [{ 'webhook.accept': [200, '3xx'] }, 'an unknown range'],
  [{ 'webhook.accept': [] }, 'no status at all'],
  [{ 'errors.messages': { 401: 'No' } }, 'another text for a failed verification'],
  [{ 'errors.messages': { 200: 'Fine' } }, 'a status that is no error'],
  [{ 'errors.rules': { decimals: 'x' } }, 'a rule that does not exist'],
  [{ 'errors.reasons': { 'fiatAmount.decimals': 'x' } }, 'a rule that does not exist, of a field'],
  [{ 'responses.feeField': 'offerInfoData.type' }, 'the place of a documented field'],
  [{ 'orders.refundIds': 'RF-${digits:3}' }, 'a form of ids that would repeat'],
  [{ 'refunds.failedStatus': 'REFUND_INITIATED' }, 'the status of a refund that has begun'],
  [{ 'refunds.failedStatus': 'FAILED' }, 'the status of an order that has failed'],
  [{ 'refunds.orderStatus': 'COMPLETED' }, 'the status of an order without refunds'],
  [{ 'webhook.jwt': { claims: { of: '${jwt}' } } }, 'a token that contains itself'],
  [{ 'webhook.jwt': { key: 'no base64!', secretAs: 'base64' } }, 'a key in another form'],
  [{ 'webhook.jwt': { algorithm: 'RS256', key: 'no PEM' } }, 'a text that is no private key'],
  [{ limits: [{ on: 'orders', max: 1, per: '1s', each: 'order' }] }, 'a limit for nothing'],
  [{ 'time.expiryFraction': 10 }, 'ten digits'],
  [{ 'time.offset': 'Z' }, 'an offset without figures'],
  [{ 'time.offset': '-00:00' }, 'an offset that ISO 8601 does not know'],
  [{ 'time.offset': '+14:30' }, 'an offset nobody has'],
  [{ 'checkout.targetApps': [] }, 'no application at all'],
  [{ 'subscription.intervals': [] }, 'no interval at all'],
  [{ 'responses.urlField': 'token' }, 'the name of another member'],
  [{ 'responses.urlField': '__proto__' }, 'a name that is none'],
  [{ 'orders.cryptoPayinType': 'PAYOUT' }, 'the type of other orders'],
  [{ 'errors.catalog': { 'a b': 'x' } }, 'a code with a space'],
  [{ 'errors.catalog': { '9005': 9005 } }, 'a description that is a number'],
  [{ publicBaseUrl: 'shop.test' }, 'a host without a scheme'],
  [{ publicBaseUrl: 'ftp://shop.test' }, 'another scheme'],
  [{ publicBaseUrl: 'http://shop.test:0' }, 'port 0'],
  [{ publicBaseUrl: 'https://a:b@shop.test' }, 'a URL with credentials'],
  [{ publicBaseUrl: 'https://shop.test/?a=1' }, 'a URL with a query'],
  [{ 'currencies.catalog': [{ match: 'b*l' }] }, 'a star in the middle'],
  [{ 'currencies.catalog': [{ match: '' }] }, 'a match of nothing'],
  [{ 'currencies.catalog': [{ match: 'x', decimals: 3 }] }, 'three decimals'],
  [
    { 'currencies.catalog': [{ match: 'x', minAmount: '2', maxAmount: '1.99' }] },
    'limits the wrong way round',
  ],
  [{ 'currencies.catalog': [{ match: 'x', rate: '0.0' }] }, 'a rate of zero'],
  [{ 'currencies.catalog': [{ match: 'x', requiredFields: ['email'] }] }, 'a field that is always required'],
  [{ 'auth.tokenRoute': '/oauth/token' }, 'a route that is only a path'],
  [tokenRoute({ path: 'oauth/token' }), 'a path without its slash'],
  [tokenRoute({ path: '/_emulator/token' }), 'a path of the control API'],
  [tokenRoute({ path: '/v1/client/orders' }), 'a path of the service'],
  [tokenRoute({ path: '/pay' }), 'the path of the payment page'],
  [tokenRoute({ path: '/oauth/:id' }), 'a path with a placeholder'],
  [tokenRoute({ path: '/x/../_emulator' }), 'a path that climbs'],
  [tokenRoute({ clientField: 'id' }), 'a member nobody knows'],
  [{ 'signature.checkout': { toString: 1, valueOf: 1 } }, 'a mapping that cannot be text'],
])('%j is refused: %s', (input) => {
  expect(complaints(input)).toHaveLength(1)
})

test.each([
  [{ a: '${orderid}' }, /has no value for \$\{orderid\}; did you mean `orderId`\?/],
  [['${a b}'], /has no value for \$\{a b\}/],
  ['{"a": ${orderId}}', /is not JSON/],
  ['['.repeat(70), /deeper than 64 levels/],
  [{ a: 'x'.repeat(17_000) }, /larger than 16384 characters/],
  [7, /expected .*not 7/],
  [{ a: [Infinity] }, /too large to be represented exactly; put it in quotes/],
  [{ a: 2 ** 53 }, /too large to be represented exactly; put it in quotes/],
  ['{"a":1e400}', /too large to be represented exactly; put it in quotes/],
  ['{"a":12345678901234567890}', /too large to be represented exactly; put it in quotes/],
])('the template %j is refused', (template, reason) => {
  expect(complaints({ 'webhook.template': template })).toEqual([expect.stringMatching(reason)])
})

test('a template can be asked for only where there is one', () => {
  const format = { 'webhook.format': 'template' }
  const message = '`webhook.format: template` needs `webhook.template`, the JSON to send'
  expect(complaints(format)).toEqual([message])
  expect(complaints({ ...format, 'webhook.template': { a: 1 } })).toEqual([])
  expect(complaints(format, { scope: 'client' }), 'it may lie under the client').toEqual([])
})

test.each(['paths.webhookUrl', 'paths.subscription', 'publicBaseUrl', 'auth.tokenRoute'])(
  '%s cannot be laid over for one client, not even to take it away',
  (name) => {
    const message = `\`${name}\` applies to all clients and cannot be set for one client`
    expect(complaints({ [name]: null }, { scope: 'client' })).toEqual([message])
    expect(complaints({ [name]: null })).toEqual([])
  },
)

test('all other settings can be laid over for one client', () => {
  const settings = choicesTable().flatMap((row) => row.settings)
  const overlay = settings.filter(({ scope }) => scope === 'client').map((each) => [each.name, each.default])
  expect(complaints(Object.fromEntries(overlay), { scope: 'client' })).toEqual([])
})

test('all that is wrong is told, each with the way to it', () => {
  const input = {
    signature: { chekout: 1 },
    currencies: { catalog: [{ match: 'x' }, { match: 'y', decimals: 3 }] },
  }
  const reading = readSettings(input, { scope: 'common' })
  expect(reading).toMatchObject({
    ok: false,
    problems: [
      { path: ['signature', 'chekout'], at: 'key' },
      { path: ['currencies', 'catalog', 1, 'decimals'] },
    ],
  })
})

test('a later overlay wins, key by key', () => {
  const settings = effectiveSettings(
    { 'orders.expiry': '3m', 'signature.checkout': 'short' },
    { 'orders.expiry': 'PT1H' },
  )
  expect(settings).toEqual({ ...defaultSettings, 'orders.expiry': 3_600_000, 'signature.checkout': 'short' })
})

test('null lays nothing over', () => {
  expect(effectiveSettings({ 'orders.expiry': '3m' }, { 'orders.expiry': null })['orders.expiry']).toBe(
    180_000,
  )
})

test('a patch replaces what it names, removes what it names null, and leaves its base as it was', () => {
  const base = { 'orders.expiry': '3m', 'webhook.retry.max': 1, 'signature.checkout': 'short' } as const
  const merged = mergeOverlay(base, { 'orders.expiry': null, 'webhook.retry.max': 2, 'orders.autopay': null })
  expect(merged).toEqual({ 'webhook.retry.max': 2, 'signature.checkout': 'short' })
  expect(base['orders.expiry']).toBe('3m')
})

test('the words for no restriction lie over a list', () => {
  const settings = effectiveSettings(
    { 'checkout.targetApps': ['APP'], 'webhook.on': ['COMPLETED'] },
    { 'checkout.targetApps': 'any', 'webhook.on': 'all' },
  )
  expect(settings).toMatchObject({ 'checkout.targetApps': null, 'webhook.on': null })
})

test('the members of a token route that are left out have their usual names', () => {
  const settings = effectiveSettings({
    'auth.tokenRoute': { path: '/oauth/token', expiresInField: 'expires_in' },
  })
  expect(settings['auth.tokenRoute']).toEqual({
    path: '/oauth/token',
    clientIdField: 'clientId',
    apiSecretField: 'apiSecret',
    accepts: ['json'],
    answer: { accessToken: '${accessToken}', expires_in: '${expiresIn}' },
    refusedStatus: 401,
  })
})

test('the public URL loses the slash at its end', () => {
  expect(effectiveSettings({ publicBaseUrl: 'https://pay.test/base/' }).publicBaseUrl).toBe(
    'https://pay.test/base',
  )
})

test('the table shows what is laid over, as it was written, beside the default', () => {
  const rows = choicesTable({ 'orders.expiry': '3m' }).flatMap(({ settings }) => settings)
  expect(rows.find(({ name }) => name === 'orders.expiry')).toMatchObject({ default: '15m', value: '3m' })
  expect(rows.find(({ name }) => name === 'orders.autopay')).toMatchObject({ value: 'unless-page' })
})

test.each([
  ['N5', 'currencies.catalog'],
  ['N64j', 'time.offset'],
  ['N66', 'currencies.catalog'],
])('%s names %s, a setting of another choice', (n, name) => {
  const row = choicesTable().find((each) => each.n === n)
  expect(row?.settings.map((setting) => setting.name)).toEqual([name])
})

test('a list of retries and its alternatives replace each other, level by level', () => {
  const list = { 'webhook.retry.schedule': ['1m', '5m'] }
  const base = { 'webhook.retry.max': 3, 'webhook.retry.cap': '1h', 'webhook.retry.after': 'ignore' } as const
  expect(layered(base, list)).toEqual({ ...list, 'webhook.retry.after': 'ignore' })
  expect(layered(list, base)).toEqual(base)
  expect(layered(base, { 'webhook.retry.schedule': 'doubling' })).toMatchObject(base)
})

test('settings of which none is set are the defaults, and one that is set to nothing is not set', () => {
  expect(effectiveSettings()).toBe(defaultSettings)
  expect(effectiveSettings({}, { 'orders.expiry': null })).toBe(defaultSettings)
  expect(effectiveSettings({ 'orders.expiry': '2h' })).toEqual({
    ...defaultSettings,
    'orders.expiry': 2 * 60 * 60 * 1000,
  })
})
