import { readSettings } from '../../../src/domain/choices/read-settings.ts'
import type { SettingsOverlay } from '../../../src/domain/choices/settings.ts'
import { Chance } from '../support/fuzz/chance.ts'
import { half, type Written } from './draw.ts'
import { hiddenWebhooks } from './hidden-webhooks.ts'

/** Draws the settings file of a provider that nobody knows: each setting has another value than its default about half
 *  of the time, in ranges that providers use. */
export function hiddenSettings(seed: number): SettingsOverlay {
  const chance = new Chance(Math.imul(seed, 0x9e3779b1))
  const drawn: Written = {
    ...orders(chance),
    ...calls(chance),
    ...errors(chance),
    ...hiddenWebhooks(chance),
  }
  return asOverlay(drawn)
}

/** Reads settings like a settings file.
 *  @throws if the file would be refused */
function asOverlay(written: Written): SettingsOverlay {
  const given = Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined))
  const reading = readSettings(given, { scope: 'common', nulls: 'refuse' })
  if (reading.ok) return reading.overlay
  throw new Error(
    `the drawn settings are invalid: ${JSON.stringify(reading.problems)}\n${JSON.stringify(given)}`,
  )
}

function orders(chance: Chance): Written {
  const onExpiry = half(chance, ['fail', 'abandon'])
  const isTokenTheId = chance.yes(0.2)
  const form = chance.pick(orderIdForms)
  return {
    'checkout.targetApps': half(chance, [['com.example.wallet', 'com.example.bank']]),
    ...currencies(chance),
    'responses.urlField': half(chance, ['paymentUrl', 'redirect_url', 'offerInfoData.checkoutUrl']),
    publicBaseUrl: half(chance, ['https://pay.provider.example', 'https://secure.kestrel.example']),
    'paths.paymentPage': half(chance, ['/checkout', '/checkout/pay', '/p']),
    'orders.expiry': half(chance, ['5m', '10m', '20m', '30m', '1h', '3h', '24h']),
    'orders.onExpiry': onExpiry,
    'words.orders': onExpiry === 'abandon' ? half(chance, [{ ABANDONED: 'EXPIRED' }]) : undefined,
    'words.payments': half(chance, [
      { CREATED: 'PENDING', FAILED: 'DECLINED' },
      { CREATED: 'WAITING', FAILED: 'REJECTED' },
    ]),
    'time.expiryFraction': half(chance, [0, 3, 9]),
    'time.offset': half(chance, ['+01:00', '-03:00', '+05:30']),
    'requestIds.scope': half(chance, ['global']),
    'signature.checkout': half(chance, ['short', 'with-currency']),
    'paths.webhookUrl': half(chance, ['short', 'fiat']),
    'paths.subscription': half(chance, ['both']),
    'subscription.intervals': half(chance, [
      ['WEEKLY', 'MONTHLY'],
      ['MONTHLY', 'YEARLY'],
      ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'],
    ]),
    'responses.subscription': half(chance, ['compact']),
    'orders.cryptoLeg': half(chance, ['after-payment', 'never']),
    'orders.orderIdEqualsToken': isTokenTheId ? true : undefined,
    'orders.ids': isTokenTheId || chance.yes(0.5) ? undefined : form,
    'orders.refundIds': half(chance, [
      'RF-${digits:8}',
      're_${base62:20}',
      'R${createdAt:yymmdd}${digits:7}',
    ]),
    'orders.tokens': half(chance, ['tok_${hex:32}', '${base62:32}', 'ct_${base62:24}']),
    'orders.cryptoPayinType': half(chance, ['CRYPTO_PAYIN', 'PAYIN']),
    'orders.autopay': half(chance, ['always', 'never']),
    'scenarios.amounts': half(chance, ['off']),
    'refunds.errorReasonWhenNone': half(chance, ['null', 'empty']),
    'refunds.failedStatus': half(chance, ['REFUND_FAILED', 'REFUND_DECLINED']),
    'responses.partner': half(chance, ['TILLBROOK_ACQ_EU', 'norvelle', 'acquirer-7']),
    'responses.selectedPaymentMethod': half(chance, ['CARD', 'ANY']),
    ...amounts(chance),
  }
}

const orderIdForms = [
  'PO-${createdAt:yyyymmdd}-${digits:8}',
  'ord_${base62:24}',
  '${ulid}',
  '900${digits:9}',
  '${createdAt:yymmdd}${hex:12}',
] as const

function currencies(chance: Chance): Written {
  const hasCatalog = chance.yes(0.5)
  const refuses = chance.yes(0.5)
  if (!hasCatalog) return {}
  return {
    'currencies.catalog': [
      { match: 'usd_us', maxAmount: '10000.00', cryptoAsset: 'USDC', rate: '1' },
      { match: 'eur_*', minAmount: '0.50', cryptoAsset: 'USDC', rate: '1.25' },
    ],
    'currencies.unknown': refuses ? 'refuse' : undefined,
  }
}

function amounts(chance: Chance): Written {
  const fee = half(chance, [{ percentage: '2.9', fixed: '0.30' }, { percentage: '1.5' }, { fixed: '0.25' }])
  const field = half(chance, ['offerInfoData.fee', 'feeAmount'])
  return {
    'amounts.echo': half(chance, ['two-decimals']),
    'amounts.fee': fee,
    'responses.feeField': fee === undefined ? undefined : field,
  }
}

function calls(chance: Chance): Written {
  return {
    'auth.tokenRoute': half(chance, [
      {
        path: '/oauth/token',
        accepts: ['form'],
        clientIdField: 'client_id',
        apiSecretField: 'client_secret',
        answer: { access_token: '${accessToken}', token_type: 'bearer', expires_in: '${expiresIn}' },
        error: { error: '${code}', error_description: '${message}' },
      },
      {
        path: '/v1/auth/access-token',
        accepts: ['basic'],
        answer: {
          data: { token: '${accessToken}', expiresAt: '${expiresAt:offset}' },
          meta: { lifetimeSeconds: '${expiresIn}' },
        },
      },
      {
        path: '/identity/token',
        clientIdField: 'account',
        apiSecretField: 'apiKey',
        accessTokenField: 'token',
        expiresInField: 'validFor',
        refusedStatus: 403,
      },
    ]),
    'auth.tokenLifetime': half(chance, ['10m', '15m', '1h', '2h']),
    'auth.tokenExpiry': half(chance, ['by-scenario']),
    'auth.oneToken': half(chance, [true]),
    limits: half(chance, [
      [
        {
          on: ['create-order'],
          max: 12,
          per: '10s',
          headers: {
            'RateLimit-Limit': '${limit}',
            'RateLimit-Remaining': '${remaining}',
            'RateLimit-Reset': '${resetIn}',
          },
        },
      ],
      [
        {
          on: ['orders', 'crypto-orders', 'fiat-refunds'],
          max: 20,
          per: '1m',
          headers: {
            'X-RateLimit-Limit': '${limit}',
            'X-RateLimit-Remaining': '${remaining}',
            'X-RateLimit-Reset': '${reset:seconds}',
          },
        },
      ],
      [{ on: ['orders'], max: 15, per: '30s' }],
    ]),
  }
}

function errors(chance: Chance): Written {
  const status = half(chance, [422, 403])
  const template = half(chance, [
    { error: { status: '${status}', reason: '${reason}', text: '${message}' } },
    { code: '${code}', detail: '${message}', instance: '${path}' },
  ])
  const validationTemplate = half(chance, [
    { errors: [{ field: '${problems.field}', rule: '${problems.rule}', reason: '${problems.reason}' }] },
    { code: 'INVALID_INPUT', problems: [{ at: '${problems.pointer}', why: '${problems.rule}' }] },
    { message: 'The body is not valid', fields: ['${problems.field}'] },
  ])
  const own = JSON.stringify([template, validationTemplate])
  const codes = { 404: 'NO_SUCH_ROUTE', 415: 'WRONG_TYPE' }
  const messages = { 404: 'Nothing is here', 415: 'Send JSON' }
  return {
    'errors.validationStatus': status,
    'validation.nullOptional': half(chance, ['absent']),
    'errors.catalog': half(chance, [
      { 9004: 'The bank has declined', 9005: 'The payment was cancelled' },
      { 9005: 'Payer verification failed' },
    ]),
    'errors.template': template,
    'errors.validationTemplate': validationTemplate,
    'errors.codes': JSON.stringify([template]).includes('${code}') ? half(chance, [codes]) : undefined,
    'errors.messages': template === undefined ? undefined : half(chance, [messages]),
    'errors.rules': own.includes('${problems.rule}')
      ? half(chance, [{ required: 'missing', format: 'malformed' }])
      : undefined,
    'errors.reasons': own.includes('${problems.reason}')
      ? half(chance, [{ required: 'is required', format: 'has a wrong form' }])
      : undefined,
  }
}
