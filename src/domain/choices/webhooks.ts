import * as z from 'zod'
import { duration } from '../duration.ts'
import { payloadTemplate, placeholders } from '../payload-template.ts'
import { type Choice, listOr, oneOf, setting } from './choice.ts'

const between = (least: number, most: number) =>
  duration.refine((ms) => ms >= least && ms <= most, 'is out of bounds')

/** What the document leaves open about webhooks and events. */
export const webhookChoices = [
  {
    n: 'N36',
    open: 'The body of a webhook.',
    choice:
      'Flat: `requestId`, `clientId`, `orderId`, `orderStatus`, `orderType`, `eventType`, and `errorCode` when there ' +
      'is one. Other formats: `envelope`, `{"requestId","type","data":{"orderType","orderId","orderStatus"},' +
      '"error":{"code","message"}}` with `error` only when there is one; `jwt`, `{"payload":"<HS256 JWT of the ' +
      'envelope, keyed with the API secret>"}`; `template`, JSON of your own with `${placeholders}`; a member whose placeholder ' +
      'has no value for an event is left out.',
    reason: 'The only names in print are those of a simulated webhook.',
    settings: {
      'webhook.format': oneOf(['flat', 'envelope', 'jwt', 'template'], 'flat'),
      'webhook.jwtAlgorithm': oneOf(['HS256', 'HS384', 'HS512'], 'HS256'),
      'webhook.template': setting(payloadTemplate.nullable(), null, {
        allowed: `nothing, or JSON (or its text) with placeholders such as \`\${requestId}\`: ${placeholders.join(', ')}`,
      }),
    },
  },
  {
    n: 'N38',
    open: 'How a receiver knows that a webhook is genuine.',
    choice:
      'By the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` of Standard Webhooks, keyed with the ' +
      "client's `webhookSecret`. They are an addition of the emulator. `hmac-body` sends one header instead, " +
      '`signature`: base64 of the HMAC-SHA256 of the body, keyed with the API secret, as create requests are signed.',
    reason: 'Nothing is shown; a public specification with published libraries is the honest stand-in.',
    settings: {
      'webhook.auth': oneOf(['standard', 'hmac-body', 'none'], 'standard'),
      'webhook.signTime': oneOf(['wall', 'virtual'], 'wall'),
    },
  },
  {
    n: 'N39',
    open: 'Which event types exist.',
    choice: '`service-sdk-transaction-status` for every order event. Simulation takes any non-empty text.',
    reason: 'The one value in print.',
  },
  {
    n: 'N40',
    open: 'Which changes send a webhook.',
    choice:
      'Every change of `orderStatus`, the creation included. With a list, only changes to a status it names.',
    reason: 'A client that cannot bear one event too many should find out here.',
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
    reason: 'Two events for one change are shown nowhere.',
    settings: { 'webhook.legs': oneOf(['fiat', 'both'], 'fiat') },
  },
  {
    n: 'N42',
    open: 'Webhooks of recurring charges.',
    choice: 'Each charge sends what an order of its own would.',
    reason: 'Each charge is a record of its own (N64j).',
  },
  {
    n: 'N43',
    open: 'Webhooks of refunds.',
    choice: 'None; clients look refunds up.',
    reason: 'No refund event is shown, only the lookup.',
    settings: { 'webhook.refunds': oneOf(['none', 'event'], 'none') },
  },
  {
    n: 'N44',
    open: 'What happens after a failed delivery.',
    choice:
      "It is tried again ten times on the client's clock: after 1 s, then after twice the wait before, up " +
      'to 10 minutes. A `Retry-After` counts up to that cap. An endpoint that answers 410 gets nothing more ' +
      'until its URL is set anew.',
    reason: 'What comparable services do, with waits that a test can sit through.',
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
    },
  },
  {
    n: 'N45',
    open: 'Which answer counts as received.',
    choice: 'Any 2xx within 5 seconds. A redirect is not followed and counts as a failure.',
    reason: 'The usual rule; a slow handler should notice.',
    settings: {
      'webhook.accept': setting(
        z.enum(['2xx', '200']).or(z.literal(200).transform(() => '200' as const)),
        '2xx',
        {
          allowed: '`2xx` or `200`',
          values: ['2xx', '200'],
        },
      ),
      'webhook.timeout': setting(between(1, 60_000), '5s', { allowed: 'a duration from `1ms` to `60s`' }),
    },
  },
  {
    n: 'N46',
    open: 'The order in which webhooks arrive.',
    choice:
      'What an order has to tell is sent for the first time in the order in which it happened. What cannot ' +
      'be sent now (no URL, a paused one, a hold or a fault) holds up nothing else, nor does a retry, which ' +
      'later events may overtake.',
    reason: 'As orderly as a service can promise without one dead endpoint stopping everything.',
  },
  {
    n: 'N47',
    open: 'Where a retry goes after the URL has changed.',
    choice: 'To the new URL, read at the moment of sending.',
    reason: 'A changed URL is said to take effect for notifications (R8).',
  },
  {
    n: 'N48',
    open: 'Events while no URL is registered.',
    choice:
      'They are recorded as `skipped`, and the call that caused them succeeds. Only a simulation is refused ' +
      '(N54).',
    reason: 'Creating orders is not said to need a URL.',
  },
  {
    n: 'N49',
    open: 'Which `webhookUrl` is valid.',
    choice:
      'Absolute, http or https, 2048 characters at most, on any host. A fragment or credentials make it ' +
      'invalid, and so does `""`.',
    reason: 'Hosts of test machines look like anything; secrets in URLs end up in logs.',
  },
  {
    n: 'N50',
    open: 'The answer to a change of the webhook URL.',
    choice:
      '200 `{"message":"Webhook URL updated"}`; 401 `{"error":"Client verification failed"}` if `client-id` and token ' +
      'do not match.',
    reason: 'The refusal is the documented one; for a success the least that can be said.',
  },
  {
    n: 'N51',
    open: 'Which members a simulation needs.',
    choice: 'All except `errorCode`.',
    reason: 'An order without an error has no code to send.',
  },
  {
    n: 'N52',
    open: 'Which values a simulation takes.',
    choice:
      'Any `orderStatus` and `errorCode`, with a warning in the journal if it is not a known one; as ' +
      '`orderType` only `CHECKOUT`, `PAYOUT` and the crypto payin value (N61).',
    reason: 'Unknown statuses are worth simulating; an unknown order type is a slip.',
  },
  {
    n: 'N53',
    open: 'Whether the simulated order must exist.',
    choice: 'No. `clientId` must belong to the token, else verification fails.',
    reason: 'A simulation is said to touch no order (R6, R7).',
  },
  {
    n: 'N54',
    open: 'The answer to a simulation.',
    choice:
      '200 `{"message":"Webhook simulated"}` at once; the webhook goes through the same queue as all others. Without ' +
      'a registered URL it is 400.',
    reason: 'The call does not wait for the receiver, and a simulation that goes nowhere is a mistake.',
  },
  {
    n: 'N55',
    open: "What is in the browser's `data` parameter.",
    choice: 'base64url of the JSON `{"requestId","orderId","orderStatus"}`, unsigned.',
    reason: 'Enough to look the order up; a browser can forge it, so it is never to be trusted.',
  },
  {
    n: 'N56',
    open: 'When the browser is sent back to `callbackUrl`.',
    choice:
      'After success and after failure, also when the payer has only waited for it; not when the payer leaves.',
    reason: 'It is said to happen after the transaction, and an abandoned one has no after.',
  },
] as const satisfies readonly Choice[]
