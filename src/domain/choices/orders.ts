import * as z from 'zod'
import { duration } from '../text/duration-schema.ts'
import { type Choice, oneOf, setting } from './choice.ts'

/** Assumptions about lookups, statuses and money. */
export const orderChoices = [
  {
    n: 'N57',
    open: 'Whether the crypto lookup returns checkout orders.',
    choice:
      'Yes, as soon as the order exists, with the `orderId` of the fiat record. It shows ' +
      '`receivedAmount` and `txnHash` once they exist.',
    reason: 'Only the crypto lookup returns `metadata` (R47).',
    settings: { 'orders.cryptoLeg': oneOf(['always', 'after-payment', 'never'], 'always') },
  },
  {
    n: 'N58',
    open: 'The form of `orderId` and `token`.',
    choice: 'Two different UUIDs: an `orderId` sorts by time (version 7), a `token` is random (version 4).',
    reason: 'A client that confuses the two fails at once.',
    settings: {
      'orders.orderIdEqualsToken': setting(z.boolean(), false, {
        allowed: '`true` or `false`',
        values: [true, false],
      }),
    },
    also: ['orders.ids', 'orders.tokens'],
  },
  {
    n: 'N59',
    open: 'Which statuses exist.',
    choice:
      'Only the documented ones. Before the payment `paymentStatus` is `CREATED`; `settlementStatus` is always ' +
      '`NOT_REQUIRED`.',
    reason: 'An invented status could be mistaken for a real one.',
  },
  {
    n: 'N60',
    open: 'Which status follows which, and when.',
    choice:
      '`CREATED` becomes `COMPLETED` or `FAILED`, and both are final. By default an order is paid 2 seconds after ' +
      'its creation and completed 3 seconds later.',
    reason:
      'The simplest lifecycle that the documented values allow, fast enough for a test. Scenarios define others.',
  },
  {
    n: 'N61',
    open: 'The `orderType` of a crypto payin.',
    choice: '`CRYPTOPAYIN`.',
    reason: 'Written like the documented `CHECKOUT` and `PAYOUT`.',
    settings: {
      'orders.cryptoPayinType': setting(
        z
          .string()
          .regex(/^\S{1,50}$/, 'expected 1 to 50 characters without spaces')
          .refine((type) => type !== 'CHECKOUT' && type !== 'PAYOUT', 'is the type of other orders'),
        'CRYPTOPAYIN',
        { allowed: 'a word other than `CHECKOUT` and `PAYOUT`' },
      ),
    },
  },
  {
    n: 'N62',
    open: '`errorReason` of the refund lookup when no refund has failed.',
    choice: 'Left out. If several refunds have failed, it is the one of the latest.',
    reason: 'A client that tests it for truthiness would take `{}` for a failure.',
    settings: { 'refunds.errorReasonWhenNone': oneOf(['omit', 'null', 'empty'], 'omit') },
  },
  {
    n: 'N63',
    open: 'What starts a refund.',
    choice:
      'A scenario or the control API. An order can have several partial refunds, until the whole amount ' +
      'is refunded; it stays `COMPLETED` meanwhile.',
    reason: 'The lookup returns a list, and the API specification shows no call that starts a refund.',
  },
  {
    n: 'N64a',
    open: 'Where access tokens come from.',
    choice:
      'From `POST /_emulator/access-token`, which takes `clientId` and `apiSecret` and returns ' +
      '`accessToken` and `expiresIn`. A second route can use your own path, names and forms (N78). ' +
      'Each client also has a token from the start that does not expire.',
    reason:
      'The API specification does not show the real call, but an application has to get its token somewhere.',
    also: ['auth.tokenRoute'],
  },
  {
    n: 'N64b',
    open: 'The lifetime of a token, and the effect of a new token on older ones.',
    choice:
      '30 minutes; older tokens stay valid until they expire, unless `auth.oneToken` is set (N79). With `auth.tokenExpiry: by-scenario` a token expires only ' +
      'when a scenario or the call `expire-tokens` expires it, however far the clock moves; `expiresIn` stays the same.',
    reason: 'Short enough that a client must refresh it; a request in progress is never cut off.',
    settings: {
      'auth.tokenLifetime': setting(
        duration.refine((ms) => ms >= 1000, 'must be 1s or longer'),
        '30m',
        { allowed: 'a duration from `1s`', scope: 'client' },
      ),
      'auth.tokenExpiry': oneOf(['after-lifetime', 'by-scenario'], 'after-lifetime', { scope: 'client' }),
    },
  },
  {
    n: 'N64c',
    open: 'The order and the number of records in `data`.',
    choice: 'Oldest first, and all of them.',
    reason: 'The API specification shows no paging.',
  },
  {
    n: 'N64d',
    open: 'A query parameter that is repeated, or is not UTF-8.',
    choice: 'Invalid input.',
    reason: 'If the emulator picked a value, a faulty client would not notice its mistake.',
  },
  {
    n: 'N64e',
    open: 'How `updatedTs` changes.',
    choice: 'It increases with each change and never goes back.',
    reason: 'Clients use it to order the states they see.',
  },
  {
    n: 'N64f',
    open: 'The value of `partner`.',
    choice: '`sandbox-partner`.',
    reason: 'A text that cannot be mistaken for a real partner.',
    also: ['responses.partner'],
  },
  {
    n: 'N64g',
    open: 'The values of `exchangeCurId` and `exchangeAmount`.',
    choice: "The request's `currencyId` and `fiatAmount`.",
    reason: 'The API specification shows no currency exchange for a fiat order.',
  },
  {
    n: 'N64h',
    open: 'The form of `txnHash`.',
    choice: '`0x` and 64 hexadecimal digits, computed from the `orderId`.',
    reason: 'The form of a widespread chain, and the same value in every run.',
  },
  {
    n: 'N64i',
    open: 'What creates payout and crypto payin orders.',
    choice: 'Fixtures, scenarios and the control API.',
    reason: 'The API specification shows their records, but no call that creates them.',
  },
  {
    n: 'N64j',
    open: 'The lifecycle of a subscription.',
    choice:
      'Every charge is a fiat record with its own `orderId`; all charges share the `requestId`. The ' +
      'first charge is due when the trial ends, or at once. Later charges keep the day of the month, or ' +
      'use its last day (31 January, 28 February, 31 March), in the calendar of `time.offset`. A charge that ' +
      'fails does not change later ones. The control API can cancel the subscription.',
    reason: 'This is what recurring payments usually do, and a list under one `requestId` allows it.',
    also: ['time.offset'],
  },
  {
    n: 'N64k',
    open: 'Calls from a web page of another origin.',
    choice: '`/v1` sends no CORS headers; OPTIONS is 405.',
    reason: 'The calls carry secrets, which do not belong in a browser.',
  },
  {
    n: 'N65',
    open: 'Who pays.',
    choice:
      'The emulator pays automatically, 2 seconds after the creation. The payer pays if the order has a `mode`, or once a browser ' +
      'has opened the payment page.',
    reason: 'Tests need no extra step, and a person can still pay by hand.',
    settings: { 'orders.autopay': oneOf(['unless-page', 'always', 'never'], 'unless-page') },
  },
  {
    n: 'N66',
    open: 'The crypto asset and amount of a fiat order.',
    choice: '`USDT`, and the fiat amount at rate 1 with 8 decimals.',
    reason: 'A rate of 1 is easy to check, and eight decimals reveal clients that truncate to two.',
    also: ['currencies.catalog'],
  },
  {
    n: 'N67',
    open: 'The error code of a failure without an explicit code.',
    choice: '`9004`.',
    reason: 'The documented code for a payment that failed at the partner.',
  },
  {
    n: 'N68',
    open: 'Amounts that select a scenario.',
    choice:
      '`90.04` follows the scenario fail-9004, `90.05` fail-9005, `90.06` refund-failed, and `70.01` ' +
      'create-timeout-then-7001.',
    reason: 'Many sandboxes have such amounts: the application itself can choose the failure.',
    settings: { 'scenarios.amounts': oneOf(['on', 'off'], 'on', { scope: 'client' }) },
  },
  {
    n: 'N69',
    open: 'The meaning of "as passed" for `metadata`.',
    choice: 'The emulator stores the JSON text and returns it unchanged.',
    reason: 'Parsing would lose large integers, the order of keys, and `__proto__`.',
  },
] as const satisfies readonly Choice[]
