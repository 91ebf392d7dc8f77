import * as z from 'zod'
import { duration } from '../duration.ts'
import { type Choice, oneOf, setting } from './choice.ts'
import { fieldName, tokenPath } from './fields.ts'

const tokenRoute = z.strictObject({
  path: tokenPath,
  clientIdField: fieldName.default('clientId'),
  apiSecretField: fieldName.default('apiSecret'),
  accessTokenField: fieldName.default('accessToken'),
  expiresInField: fieldName.default('expiresIn'),
})

/** What the document leaves open about lookups, states and money. */
export const orderChoices = [
  {
    n: 'N57',
    open: 'Whether the crypto lookup finds a checkout order.',
    choice:
      'It does, as soon as the order exists, with the `orderId` of the fiat record. It shows ' +
      '`receivedAmount` and `txnHash` once there are any.',
    reason: '`metadata` is returned there and nowhere else (R47).',
    settings: { 'orders.cryptoLeg': oneOf(['always', 'after-payment', 'never'], 'always') },
  },
  {
    n: 'N58',
    open: 'What `orderId` and `token` look like.',
    choice:
      'Two different UUIDs: an `orderId` is ordered by time (version 7), a `token` is random (version 4).',
    reason: 'A client that takes one for the other fails at once.',
    settings: {
      'orders.orderIdEqualsToken': setting(z.boolean(), false, {
        allowed: '`true` or `false`',
        values: [true, false],
      }),
    },
  },
  {
    n: 'N59',
    open: 'Which statuses there are.',
    choice:
      'The printed ones only. Before the payment `paymentStatus` is `CREATED`; `settlementStatus` is always ' +
      '`NOT_REQUIRED`.',
    reason: 'An invented status could pass for a real one.',
  },
  {
    n: 'N60',
    open: 'Which status follows which, and when.',
    choice:
      '`CREATED` becomes `COMPLETED` or `FAILED`, and both are final. By default an order is paid 2 seconds after ' +
      'its creation and completed 3 seconds later.',
    reason: 'The simplest life the printed values allow, quick enough for a test. Scenarios tell others.',
  },
  {
    n: 'N61',
    open: 'The `orderType` of a crypto payin.',
    choice: '`CRYPTOPAYIN`.',
    reason: 'Written like the printed `CHECKOUT` and `PAYOUT`.',
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
    open: '`errorReason` of the refund lookup when no refund failed.',
    choice: 'Left out. When several refunds failed, it is that of the latest.',
    reason: 'A client that tests it for truth would take `{}` for a failure.',
    settings: { 'refunds.errorReasonWhenNone': oneOf(['omit', 'null', 'empty'], 'omit') },
  },
  {
    n: 'N63',
    open: 'How refunds come about.',
    choice:
      'A scenario or the control API starts them. There can be several, of parts of the amount, until all ' +
      'of it is refunded; the order is `COMPLETED` all the while.',
    reason: 'The lookup returns a list, and no call to start a refund is shown.',
  },
  {
    n: 'N64a',
    open: 'Where access tokens come from.',
    choice:
      'From `POST /_emulator/access-token`, which takes `clientId` and `apiSecret` and returns ' +
      '`accessToken` and `expiresIn`. A second route can have the path and field names of your operator. ' +
      'Clients also have a token from the start that does not expire.',
    reason: 'The real call is not shown, but an application has to get its token somewhere.',
    settings: {
      'auth.tokenRoute': setting(tokenRoute.nullable(), null, {
        allowed:
          'nothing, or `path` and optionally `clientIdField`, `apiSecretField`, `accessTokenField`, `expiresInField`',
        scope: 'common',
      }),
    },
  },
  {
    n: 'N64b',
    open: 'How long a token lives, and what a new one does to the old.',
    choice: '30 minutes; the older ones stay valid until they expire.',
    reason: 'Short enough that a client must renew; a running request is never cut off.',
    settings: {
      'auth.tokenLifetime': setting(
        duration.refine((ms) => ms >= 1000, 'must be 1s or longer'),
        '30m',
        { allowed: 'a duration from `1s`', scope: 'client' },
      ),
    },
  },
  {
    n: 'N64c',
    open: 'In which order `data` lists records, and how many.',
    choice: 'Oldest first, all of them.',
    reason: 'No paging is shown.',
  },
  {
    n: 'N64d',
    open: 'A query parameter that is given twice, or is not UTF-8.',
    choice: 'Invalid input.',
    reason: 'Whatever were taken in its place, a wrong client would not notice.',
  },
  {
    n: 'N64e',
    open: 'How `updatedTs` moves.',
    choice: 'Forward at each change, never back.',
    reason: 'Clients order what they see by it.',
  },
  {
    n: 'N64f',
    open: 'The value of `partner`.',
    choice: '`sandbox-partner`.',
    reason: 'A text that cannot pass for a real partner.',
  },
  {
    n: 'N64g',
    open: 'What `exchangeCurId` and `exchangeAmount` hold.',
    choice: "The request's `currencyId` and `fiatAmount`.",
    reason: 'No exchange is shown for a fiat order.',
  },
  {
    n: 'N64h',
    open: 'What `txnHash` looks like.',
    choice: '`0x` and 64 hexadecimal digits, computed from the `orderId`.',
    reason: 'The shape of a common chain, and the same in every run.',
  },
  {
    n: 'N64i',
    open: 'How payout and crypto payin orders come about.',
    choice: 'By fixtures, scenarios and the control API.',
    reason: 'Their records are shown, a call that creates them is not.',
  },
  {
    n: 'N64j',
    open: 'The life of a subscription.',
    choice:
      'Every charge is a fiat record with an `orderId` of its own; the `requestId` is the same for all. The ' +
      'first one falls due when the trial ends, or at once. The next ones keep the day of the month, or ' +
      'take its last (31 January, 28 February, 31 March), by the calendar of `time.offset`. A charge that ' +
      'fails leaves the later ones as they are. The control API can cancel.',
    reason: 'What recurring payments commonly do, and a list under one `requestId` allows.',
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
      'The emulator itself, 2 seconds after the creation; but for an order with `mode`, or once somebody ' +
      'has opened the payment page, the payer.',
    reason: 'Tests run by themselves, and a person who wants to pay is let.',
    settings: { 'orders.autopay': oneOf(['unless-page', 'always', 'never'], 'unless-page') },
  },
  {
    n: 'N66',
    open: 'The crypto asset and amount of a fiat order.',
    choice: '`USDT`, and the fiat amount at rate 1 with 8 decimals.',
    reason: 'A rate of 1 is easy to check, and eight decimals find clients that cut at two.',
    also: ['currencies.catalog'],
  },
  {
    n: 'N67',
    open: 'The error code of a failure that names none.',
    choice: '`9004`.',
    reason: 'The printed code for a payment that went wrong at the partner.',
  },
  {
    n: 'N68',
    open: 'Amounts with a meaning of their own.',
    choice:
      '`90.04` follows the scenario fail-9004, `90.05` fail-9005, `90.06` refund-failed, and `70.01` ' +
      'create-timeout-then-7001.',
    reason: 'Many sandboxes have such amounts: the failure can be chosen from inside the application.',
    settings: { 'scenarios.amounts': oneOf(['on', 'off'], 'on', { scope: 'client' }) },
  },
  {
    n: 'N69',
    open: 'What "as passed" means for `metadata`.',
    choice: 'The JSON text that came is kept, and given back as it was.',
    reason: 'Parsing would lose large integers, the order of keys, and `__proto__`.',
  },
] as const satisfies readonly Choice[]
