import {
  effectiveSettings,
  type SettingName,
  type Settings,
  type SettingsOverlay,
} from '../../../src/domain/choices/settings.ts'
import type { Part } from './ordinary-traffic.ts'

/** A setting that the ordinary traffic shows under some hidden settings. */
export interface Showable {
  readonly setting: SettingName
  /** The observations that decide its value; there are two independent ones or more. */
  readonly by: string
  /** The parts of the traffic that have them. */
  readonly parts: readonly Part[]
}

/** A line of the list, and when it applies; always if left out. */
interface Line extends Showable {
  readonly when?: (settings: Settings) => boolean
}

const line = (
  setting: SettingName,
  parts: readonly Part[] | Part,
  by: string,
  when?: (settings: Settings) => boolean,
): Line => ({ setting, parts: typeof parts === 'string' ? [parts] : parts, by, ...(when && { when }) })

/** The settings whose exact value a careful engineer could derive from the ordinary traffic, by two independent
 *  observations or more. Written beforehand from the traffic and the settings, without the rules of `learn`. */
export function showable(overlay: SettingsOverlay): Showable[] {
  const settings = effectiveSettings(overlay)
  return lines.filter(({ when }) => when?.(settings) ?? true)
}

const isTemplate = (settings: Settings) => settings['webhook.format'] === 'template'
const hasRefundEvents = (settings: Settings) => settings['webhook.refunds'] === 'event'
const isDoubling = (settings: Settings) => settings['webhook.retry.schedule'] === null
const sendsAll = (settings: Settings) => settings['webhook.on'] === null
const isSet = (name: SettingName) => (settings: Settings) => settings[name] !== null
const isFilled = (name: SettingName) => (settings: Settings) => Object.keys(settings[name] ?? {}).length > 0
/** The beginning of a longer path could be a part of `publicBaseUrl` as well. */
const hasShortPage = (settings: Settings) => settings['paths.paymentPage'].lastIndexOf('/') === 0
/** Whether the bodies of webhooks name a value: the ready formats do. */
const names = (value: string) => (settings: Settings) =>
  !isTemplate(settings) || JSON.stringify(settings['webhook.template']).includes(`\${${value}}`)

const retries: Part[] = ['payments', 'endpointTrouble']

const lines: readonly Line[] = [
  // Answers to create calls.
  line('responses.urlField', 'payments', 'four create calls with a `mode`: the field with the URL'),
  line(
    'publicBaseUrl',
    'payments',
    'two URLs of `mode: returnUrl`',
    (settings) => isSet('publicBaseUrl')(settings) && hasShortPage(settings),
  ),
  line('paths.paymentPage', 'payments', 'two URLs of `mode: returnUrl`', hasShortPage),
  line('orders.expiry', 'payments', '`expiryTs` of all create calls, seconds after them'),
  line('time.expiryFraction', 'payments', '`expiryTs` of all create calls'),
  line('time.offset', 'payments', '`expiryTs` of all create calls'),
  line('responses.subscription', 'subscriptions', 'the answers to all subscriptions'),
  line('responses.selectedPaymentMethod', 'payments', 'answers to create calls without a method'),
  line('amounts.echo', 'payments', 'orders for 7.5 and for 120'),
  line('amounts.fee', 'payments', '`totalFiatAmount` of eight amounts'),
  line('responses.feeField', 'payments', 'answers to all create calls', isSet('amounts.fee')),
  line('orders.tokens', 'payments', 'the tokens of all orders'),
  // What is accepted.
  line(
    'signature.checkout',
    ['beginnersMistakes', 'payments'],
    'two create calls with each of the two texts',
  ),
  line('requestIds.scope', 'twoAccounts', 'two requestIds that both accounts use'),
  line('paths.webhookUrl', 'beginnersMistakes', 'two calls to each path'),
  line(
    'paths.subscription',
    ['beginnersMistakes', 'subscriptions'],
    'an `interval` on the checkout path, twice with each text to sign',
  ),
  line('subscription.intervals', 'subscriptions', 'two subscriptions for each interval'),
  line(
    'validation.nullOptional',
    ['beginnersMistakes'],
    'four create calls with a null, each otherwise right',
  ),
  line(
    'currencies.unknown',
    'beginnersMistakes',
    'four create calls in two other currencies, each refused for its currency',
    (settings) => settings['currencies.unknown'] === 'refuse',
  ),
  // Lookups.
  line('orders.onExpiry', 'unpaid', 'two unpaid orders, looked up after their expiry'),
  line(
    'words.orders',
    'unpaid',
    'the status of two orders that were abandoned',
    (settings) => settings['orders.onExpiry'] === 'abandon',
  ),
  line(
    'words.payments',
    ['payments', 'failures'],
    'crypto records before and after the payment, and of failed orders',
    (settings) => settings['orders.cryptoLeg'] === 'always',
  ),
  line('orders.cryptoLeg', 'payments', 'crypto lookups of eight orders before and after their payment'),
  line('orders.orderIdEqualsToken', 'payments', 'the records and the create answers of eight orders'),
  line(
    'orders.ids',
    'payments',
    'the orderIds of eight orders',
    (settings) => !settings['orders.orderIdEqualsToken'],
  ),
  line('orders.refundIds', 'refunds', 'the refundIds of a dozen refunds'),
  line('responses.partner', 'payments', 'all fiat records'),
  line('refunds.errorReasonWhenNone', 'refunds', 'refund lookups of orders without a failed refund'),
  line('refunds.failedStatus', 'refunds', 'two refunds that fail'),
  line('scenarios.amounts', 'failures', 'two orders for 90.04 and two for 90.05'),
  line(
    'errors.catalog',
    'failures',
    '`errorReason` of two orders with each code',
    isFilled('errors.catalog'),
  ),
  // Errors, tokens, limits.
  line('errors.validationStatus', 'beginnersMistakes', 'some dozen invalid requests'),
  line('errors.template', 'beginnersMistakes', 'bodies of 404, 405 and 415, twice each'),
  line('errors.validationTemplate', 'beginnersMistakes', 'bodies of some dozen invalid requests'),
  line('errors.codes', 'beginnersMistakes', 'two answers 404 and 415', isFilled('errors.codes')),
  line('errors.messages', 'beginnersMistakes', 'two answers 404 and 415', isFilled('errors.messages')),
  line('errors.rules', 'beginnersMistakes', 'fields that are missing or malformed', isFilled('errors.rules')),
  line(
    'errors.reasons',
    'beginnersMistakes',
    'fields that are missing or malformed',
    isFilled('errors.reasons'),
  ),
  line(
    'auth.tokenRoute',
    'tokens',
    'token calls: right ones, of other forms, and with wrong secrets',
    isSet('auth.tokenRoute'),
  ),
  line('auth.tokenLifetime', 'tokens', 'the lifetime in the answers to token calls'),
  line('auth.tokenExpiry', 'tokens', 'two tokens, used three hours after they were issued'),
  line('auth.oneToken', 'tokens', 'two tokens, used after a newer one was issued'),
  line(
    'limits',
    ['beginnersMistakes', 'payments'],
    'two bursts that are refused, and headers that name the limit',
    ({ limits }) => limits.some(({ headers }) => Object.keys(headers).length > 0),
  ),
  // Webhooks: content.
  line('webhook.format', 'payments', 'all webhooks'),
  line('webhook.template', ['payments', 'failures', 'twoAccounts'], 'all webhooks about orders', isTemplate),
  line(
    'webhook.jwtAlgorithm',
    'payments',
    'the headers of all tokens',
    (settings) => settings['webhook.format'] === 'jwt' && settings['webhook.jwt']?.algorithm === undefined,
  ),
  line('webhook.jwt', 'payments', 'all tokens', (settings) => settings['webhook.format'] === 'jwt'),
  line(
    'webhook.auth',
    'payments',
    'the headers of all webhooks',
    (settings) => settings['webhook.signature'] === null,
  ),
  line('webhook.signature', 'payments', 'the headers of all webhooks', isSet('webhook.signature')),
  line('webhook.headers', 'payments', 'the headers of all webhooks'),
  line(
    'words.webhook',
    ['payments', 'failures', 'refunds'],
    'webhooks beside lookups of the same orders',
    (settings) => sendsAll(settings) && names('orderStatus')(settings),
  ),
  line(
    'words.events',
    ['payments', 'failures', 'refunds'],
    'webhooks beside lookups of the same orders',
    (settings) => sendsAll(settings) && names('eventType')(settings),
  ),
  line(
    'webhook.refundTemplate',
    'refunds',
    'webhooks about a dozen refunds',
    (settings) => isTemplate(settings) && hasRefundEvents(settings),
  ),
  line(
    'refunds.orderStatus',
    'refunds',
    'webhooks about two refunds of a whole order',
    (settings) =>
      isTemplate(settings) && hasRefundEvents(settings) && settings['webhook.refundTemplate'] !== null,
  ),
  line('webhook.on', ['payments', 'failures'], 'the webhooks that come, or do not, after each change'),
  line('webhook.legs', 'payments', 'one webhook for each change, or two'),
  line(
    'orders.cryptoPayinType',
    'payments',
    'the `orderType` of second webhooks',
    (settings) => settings['webhook.legs'] === 'both' && names('orderType')(settings),
  ),
  line('webhook.refunds', 'refunds', 'webhooks about a dozen refunds, or none'),
  line('webhook.batch', 'payments', 'two sales of six orders at once, and webhooks of single orders'),
  // Webhooks: delivery.
  line('webhook.timeout', 'endpointTrouble', 'two attempts that were not answered'),
  line('webhook.gone', 'endpointTrouble', 'two answers 410, and when the next attempts came'),
  line('webhook.order', 'endpointTrouble', 'webhooks of two orders while those of others were failing'),
  line(
    'webhook.retry.schedule',
    retries,
    'the waits of webhooks of two orders that always failed',
    (settings) => !isDoubling(settings) || settings['webhook.retry.max'] >= 3,
  ),
  line('webhook.retry.base', retries, 'webhooks of two orders that failed twice', isDoubling),
  line('webhook.retry.max', retries, 'webhooks of two orders that always failed', isDoubling),
  line(
    'webhook.retry.cap',
    retries,
    'webhooks of two orders that always failed: waits that no longer double',
    (settings) =>
      isDoubling(settings) &&
      settings['webhook.retry.base'] * 2 ** (settings['webhook.retry.max'] - 1) >
        settings['webhook.retry.cap'],
  ),
  line(
    'webhook.retry.after',
    'payments',
    'two answers 503 with `Retry-After: 110`, longer than the usual wait',
  ),
]
