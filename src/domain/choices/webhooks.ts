import * as z from 'zod'
import { duration } from '../text/duration-schema.ts'
import { payloadTemplate } from '../webhook/payload-template.ts'
import { type Choice, listOr, oneOf, setting } from './choice.ts'

const between = (least: number, most: number) =>
  duration.refine((ms) => ms >= least && ms <= most, 'is out of range')

const retrySchedule = z.union([
  z.literal('doubling').transform(() => null),
  z
    .array(between(1, 30 * 86_400_000))
    .min(1)
    .max(50),
])

/** A status that a receiver can answer, from 200 to 599; redirects are always failures. */
const acceptedStatus = z.union([
  z.literal('2xx'),
  z
    .union([
      z.int(),
      z
        .string()
        .regex(/^\d{3}$/)
        .transform(Number),
    ])
    .refine((status) => (status >= 200 && status <= 299) || (status >= 400 && status <= 599), {
      error: 'expected `2xx`, or a status from 200 to 299 or from 400 to 599',
    }),
])

const acceptedStatuses = z.union([
  acceptedStatus.transform((one) => [one]),
  z.array(acceptedStatus).min(1).max(20),
])

/** The longest overlap of a rotation of the webhook secret. */
export const longestOverlapMs = 365 * 86_400_000

/** Assumptions about webhooks and events. */
export const webhookChoices = [
  {
    n: 'N36',
    open: 'The body of a webhook.',
    choice:
      'Flat: `requestId`, `clientId`, `orderId`, `orderStatus`, `orderType`, `eventType`, and `errorCode` when there ' +
      'is one. Other formats: `envelope`, `{"requestId","type","data":{"orderType","orderId","orderStatus"},' +
      '"error":{"code","message"}}` with `error` only when there is one; `jwt`, `{"payload":"<HS256 JWT of the ' +
      'envelope, keyed with the API secret>"}`; `template`, your own JSON with `${placeholders}`; a field whose placeholder ' +
      'has no value for an event is left out, and so is an object of which nothing remains. `${eventTime:seconds}`, ' +
      '`:milliseconds` and `:offset` write the time in other formats.',
    reason: 'The API specification shows field names only for a simulated webhook.',
    settings: {
      'webhook.format': oneOf(['flat', 'envelope', 'jwt', 'template'], 'flat'),
      'webhook.jwtAlgorithm': oneOf(['HS256', 'HS384', 'HS512'], 'HS256'),
      'webhook.template': setting(payloadTemplate.nullable(), null, {
        allowed:
          'nothing, or JSON (or JSON text) with placeholders such as `${requestId}`, `${fiatAmount:minor}` and `${eventTime:seconds}`',
      }),
    },
  },
  {
    n: 'N38',
    open: 'How a receiver checks that a webhook is genuine.',
    choice:
      'By the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` of Standard Webhooks, keyed with the ' +
      "client's `webhookSecret`. The emulator adds them. `hmac-body` sends one header instead, " +
      '`signature`: base64 of the HMAC-SHA256 of the body, keyed with the API secret, as create requests are signed. ' +
      "`webhook.signTime` decides which time is signed: `wall` is wall-clock time, `virtual` the time of the client's clock.",
    reason:
      'The API specification shows no method; a public specification with published libraries is the best substitute.',
    settings: {
      'webhook.auth': oneOf(['standard', 'hmac-body', 'none'], 'standard'),
      'webhook.signTime': oneOf(['wall', 'virtual'], 'wall'),
    },
  },
  {
    n: 'N39',
    open: 'Which event types exist.',
    choice: '`service-sdk-transaction-status` for every order event. Simulation takes any non-empty text.',
    reason: 'The only documented value.',
  },
  {
    n: 'N40',
    open: 'Which changes send a webhook.',
    choice:
      'Every change of `orderStatus`, including the creation. With a list, only changes to a status in it.',
    reason: 'This reveals a client that cannot handle an unexpected event.',
    settings: {
      'webhook.on': setting(listOr('all', z.string().min(1).max(50)), 'all', {
        allowed: '`all`, or a list of statuses',
      }),
    },
  },
  {
    n: 'N41',
    open: 'Webhooks of an order with a fiat and a crypto leg.',
    choice: 'One event, with `orderType` `CHECKOUT`.',
    reason: 'The API specification never shows two events for one change.',
    settings: { 'webhook.legs': oneOf(['fiat', 'both'], 'fiat') },
  },
  {
    n: 'N42',
    open: 'Webhooks of recurring charges.',
    choice: 'Each charge sends the same webhooks as a single order.',
    reason: 'Each charge is a record of its own (N64j).',
  },
  {
    n: 'N43',
    open: 'Webhooks of refunds.',
    choice: 'None; clients use the refund lookup.',
    reason: 'The API specification shows only the lookup, and no refund event.',
    settings: { 'webhook.refunds': oneOf(['none', 'event'], 'none') },
  },
  {
    n: 'N44',
    open: 'What happens after a failed delivery.',
    choice:
      "Ten retries on the client's clock: the first after 1 s, then each after twice the previous wait, up " +
      'to 10 minutes. `Retry-After` is honoured up to that limit. An endpoint that answers 410 gets no more ' +
      'webhooks until its URL is set again. `webhook.retry.schedule` lists the delay before each retry instead; then ' +
      'the number of its entries is the number of retries, and its longest delay limits `Retry-After`. `max`, `base` ' +
      'and `cap` do not apply then; set for one client or by a scenario, they replace a schedule for all. With ' +
      '`webhook.gone: retry` a 410 is a failed attempt like any other; with `give-up` it ends the attempts of this webhook, and later ones are sent.',
    reason: 'Comparable services do this, and a test can wait that long.',
    settings: {
      'webhook.retry.max': setting(z.int().min(0).max(50), 10, {
        allowed: 'a number of attempts from 0 to 50',
      }),
      'webhook.retry.base': setting(between(1, 86_400_000), '1s', {
        allowed: 'a duration from `1ms` to `1d`',
      }),
      'webhook.retry.cap': setting(between(1, 30 * 86_400_000), '10m', {
        allowed: 'a duration from `1ms` to `30d`',
      }),
      'webhook.retry.schedule': setting(retrySchedule, 'doubling', {
        allowed: '`doubling`, or a list of 1 to 50 durations such as `[1m, 5m, 30m]`',
      }),
      'webhook.retry.after': oneOf(['honour', 'ignore'], 'honour'),
      'webhook.gone': oneOf(['pause', 'retry', 'give-up'], 'pause'),
    },
  },
  {
    n: 'N45',
    open: 'Which answer counts as a successful delivery.',
    choice:
      'Any 2xx within 5 seconds. A list can name other statuses: `[200, 204]`, `[2xx, 409]`. A redirect is not followed and ' +
      'counts as a failure.',
    reason: 'The usual rule; it reveals slow handlers.',
    settings: {
      'webhook.accept': setting(acceptedStatuses, '2xx', {
        allowed: '`2xx`, a status such as `200`, or a list of these such as `[2xx, 409]`',
      }),
      'webhook.timeout': setting(between(1, 60_000), '5s', { allowed: 'a duration from `1ms` to `60s`' }),
    },
  },
  {
    n: 'N46',
    open: 'The order in which webhooks arrive.',
    choice:
      'The first attempts for an order go out in the order of its events. A webhook that cannot ' +
      'be sent now (no URL, a paused URL, a hold or a fault) does not block others. Neither does a retry: ' +
      'later events may overtake it.',
    reason:
      'This is the most order a service can promise without letting one dead endpoint block everything.',
  },
  {
    n: 'N47',
    open: 'Which URL a retry uses after the URL has changed.',
    choice: 'The new URL: it is read when the attempt is sent.',
    reason: 'The API specification says that a changed URL takes effect for notifications (R8).',
  },
  {
    n: 'N48',
    open: 'Events while no URL is registered.',
    choice:
      'They are recorded as `skipped`, and the call that caused them succeeds. Only a simulation is refused ' +
      '(N54).',
    reason: 'The API specification does not require a URL for creating orders.',
  },
  {
    n: 'N49',
    open: 'Which `webhookUrl` is valid.',
    choice:
      'An absolute http or https URL of at most 2048 characters, on any host. A fragment or credentials make it ' +
      'invalid; `""` is invalid too.',
    reason: 'Test machines have all kinds of host names; secrets in URLs end up in logs.',
  },
  {
    n: 'N50',
    open: 'The answer to a change of the webhook URL.',
    choice:
      '200 `{"message":"Webhook URL updated"}`; 401 `{"error":"Client verification failed"}` if `client-id` and token ' +
      'do not match.',
    reason: 'The refusal is documented; for a success this is the minimum.',
  },
  {
    n: 'N51',
    open: 'Which fields a simulation requires.',
    choice: 'All except `errorCode`.',
    reason: 'An order without an error has no code to send.',
  },
  {
    n: 'N52',
    open: 'Which values a simulation accepts.',
    choice:
      'Any `orderStatus` and `errorCode`, with a warning in the request log if the value is unknown; for ' +
      '`orderType` only `CHECKOUT`, `PAYOUT` and the crypto payin value (N61).',
    reason: 'Unknown statuses are worth simulating; an unknown order type is a typo.',
  },
  {
    n: 'N53',
    open: 'Whether the simulated order must exist.',
    choice: 'No. `clientId` must belong to the token, else verification fails.',
    reason: 'The API specification says that a simulation changes no order (R6, R7).',
  },
  {
    n: 'N54',
    open: 'The answer to a simulation.',
    choice:
      '200 `{"message":"Webhook simulated"}` at once; the webhook goes through the same queue as all others. Without ' +
      'a registered URL it is 400.',
    reason: 'The call does not wait for the receiver, and a simulation without a receiver is a mistake.',
  },
  {
    n: 'N55',
    open: "The content of the browser's `data` parameter.",
    choice: 'base64url of the JSON `{"requestId","orderId","orderStatus"}`, unsigned.',
    reason: 'This is enough to look the order up. A browser can forge it, so never trust it.',
  },
  {
    n: 'N56',
    open: 'When the browser returns to `callbackUrl`.',
    choice:
      'After success and after failure, even if the payer only waited for the result; not when the payer leaves.',
    reason: 'The API specification says "after the transaction", and an abandoned transaction has no end.',
  },
  {
    n: 'N70',
    open: 'Whether a webhook secret rotates, and how.',
    choice:
      "When the control API asks for it. For an overlap of 24 hours on the client's clock, `webhook-signature` then has " +
      'two signatures, separated by a space: with the new secret first, with the one before it second. A second ' +
      'rotation within the overlap ends the validity of the oldest secret. `hmac-body` signs with the API secret, so a ' +
      'rotation does not change that signature.',
    reason: 'Standard Webhooks describes rotation like this; a receiver must accept either signature.',
    settings: {
      'webhook.rotation.overlap': setting(between(0, longestOverlapMs), '24h', {
        allowed: 'a duration up to `365d`; `0s` for none',
        scope: 'client',
      }),
    },
  },
  {
    n: 'N71',
    open: 'Whether webhooks of different orders are ordered among each other.',
    choice:
      'No (N46). With `strict`, each webhook of a client waits until all older ones are delivered or dead: also while an ' +
      'older one is retried or on hold, and while the URL is paused. It does not wait for a skipped one (N48), nor for ' +
      'one that a fault or a scenario delays, before that is due.',
    reason: 'The API specification promises no order, and one dead endpoint would delay everything.',
    settings: { 'webhook.order': oneOf(['per-order', 'strict'], 'per-order', { scope: 'client' }) },
  },
  {
    n: 'N72',
    open: 'Whether an endpoint that keeps failing is switched off.',
    choice:
      'Only after an answer 410 (N44). With a number, the URL is also paused after so many failed attempts in a row, ' +
      'across all webhooks of the client, until it is set again. An accepted webhook starts the count again, and so does ' +
      'setting the URL. Webhooks that are sent by hand, or that a fault drops, do not count.',
    reason: 'The API specification shows no such limit, but comparable services have one.',
    settings: {
      'webhook.disableAfter': setting(
        z.union([z.literal('never').transform(() => null), z.int().min(1).max(10_000)]),
        'never',
        { allowed: '`never`, or a number of attempts from 1 to 10000', scope: 'client' },
      ),
    },
  },
] as const satisfies readonly Choice[]
