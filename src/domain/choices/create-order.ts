import * as z from 'zod'
import { catalogEntrySchema } from '../currencies.ts'
import { duration } from '../duration.ts'
import { utcOffset } from '../utc-offset.ts'
import { type Choice, listOr, oneOf, setting } from './choice.ts'
import { fieldName, httpBase } from './fields.ts'

/** What the document leaves open about creating orders. */
export const createOrderChoices = [
  {
    n: 'N1',
    open: 'Which values `targetApp` may have.',
    choice: 'Any text of 1 to 100 characters, except `INVALID_APP`. With a list, only what it names.',
    reason: 'The real names are not shown; one refused value lets the error branch be tested.',
    settings: {
      'checkout.targetApps': setting(listOr('any', z.string().min(1).max(100), 1), 'any', {
        allowed: '`any`, or a list of names',
        scope: 'client',
      }),
    },
  },
  {
    n: 'N2',
    open: 'What `targetApp` does without `mode: returnAppUrl`.',
    choice: 'Nothing; it is ignored.',
    reason: 'The field is optional, and only that mode is said to need it.',
  },
  {
    n: 'N3',
    open: 'Which currencies exist, and what each of them asks for.',
    choice:
      'Every `currencyId` that is not empty. An entry of the catalogue tells what holds for the ids it ' +
      'matches: decimals, least and greatest amount, fields that must be there, and the crypto asset with ' +
      'its rate. An id without an entry passes, or is refused if so set.',
    reason:
      'Ids are handed out at onboarding; that a currency may ask for more fields is printed (R43, R45).',
    settings: {
      'currencies.catalog': setting(z.array(catalogEntrySchema).max(1000), [], {
        allowed:
          'a list of entries with `match` (a `*` at its end covers all that begins so), and optionally `decimals`, ' +
          '`requiredFields`, `minAmount`, `maxAmount`, `cryptoAsset`, `rate`',
        scope: 'client',
      }),
      'currencies.unknown': oneOf(['accept', 'refuse'], 'accept', { scope: 'client' }),
    },
  },
  {
    n: 'N4',
    open: 'Which values `paymentMethodId` may have.',
    choice: 'Any text. The fiat record shows `ALL` when none was sent, as in N9.',
    reason: 'Ids are handed out at onboarding.',
  },
  {
    n: 'N5',
    open: 'The least and the greatest amount, and whether zero is one.',
    choice: 'Greater than zero, without an upper limit; limits per currency come from the catalogue.',
    reason: 'An order over nothing is a bug of the client and should fail loudly.',
    also: ['currencies.catalog'],
  },
  {
    n: 'N6',
    open: 'How an amount is spelt.',
    choice: 'Digits, and at most a point with one or two more: `^\\d+(\\.\\d{1,2})?$`.',
    reason: 'The strictest reading of "at most two decimals" finds signs, spaces, commas and exponents.',
  },
  {
    n: 'N7',
    open: 'Which member of the answer carries the URL that `mode` asks for.',
    choice: '`url`, on the top level, for both modes; without `mode` it is left out.',
    reason: 'A URL is promised but not shown; the plainest name at the plainest place.',
    settings: {
      'responses.urlField': setting(
        fieldName.refine((name) => !['requestId', 'token', 'status', 'offerInfoData'].includes(name), {
          error: 'the answer has another member of this name',
        }),
        'url',
        { allowed: 'the name of a JSON member' },
      ),
    },
  },
  {
    n: 'N8',
    open: 'What those URLs look like.',
    choice:
      '`{publicBaseUrl}/pay/<token>` for `returnUrl`, `paymentemulator://pay?token=<token>&app=<targetApp>` for ' +
      '`returnAppUrl`. Unset, the base is the address under which the caller reached the emulator.',
    reason: 'The first must open in a browser (R34); the second must be an application URL (R35).',
    settings: {
      publicBaseUrl: setting(httpBase.nullable(), null, {
        allowed: 'an absolute http or https URL, or nothing',
        scope: 'common',
      }),
    },
  },
  {
    n: 'N9',
    open: '`selectedPaymentMethod` when the request named no method.',
    choice: '`ALL`.',
    reason: 'The member must be text even then (R56), and it names no single method.',
  },
  {
    n: 'N10',
    open: 'Fees in `totalFiatAmount`, and its format.',
    choice: "The request's `fiatAmount`, character for character, without a fee.",
    reason: 'No fee is shown, and text that is not reformatted cannot be rounded wrongly.',
  },
  {
    n: 'N11',
    open: 'How long an order can be paid.',
    choice: '15 minutes from its creation.',
    reason: 'A usual length among payment services, and short enough to be met in a test.',
    settings: {
      'orders.expiry': setting(
        duration.refine((ms) => ms > 0, 'must be longer than nothing'),
        '15m',
        { allowed: 'a duration such as `15m`' },
      ),
    },
  },
  {
    n: 'N12',
    open: 'What becomes of an order at its expiry.',
    choice:
      'Nothing: the status stays. The payment page no longer offers to pay; a test can still pay through the ' +
      'control API, late.',
    reason: 'No transition is shown. `fail` and `abandon` stand for the other two answers services give.',
    settings: { 'orders.onExpiry': oneOf(['keep', 'fail', 'abandon'], 'keep') },
  },
  {
    n: 'N13',
    open: 'How precise `expiryTs` is, and in which offset.',
    choice: 'Six digits of a second, and `+00:00`.',
    reason:
      'An offset is asked for (R16). Parsers that know only milliseconds, or only `Z`, show themselves.',
    settings: {
      'time.expiryFraction': setting(z.int().min(0).max(9), 6, { allowed: 'a number of digits from 0 to 9' }),
      'time.offset': setting(utcOffset, '+00:00', { allowed: 'a UTC offset such as `+00:00` or `-03:00`' }),
    },
  },
  {
    n: 'N14',
    open: 'The same request a second time, body and all.',
    choice: 'Error 7001, as for any other body.',
    reason: 'The document knows no idempotent repetition.',
  },
  {
    n: 'N15',
    open: 'Several creates with one `requestId` at the same moment.',
    choice: 'Exactly one succeeds; the others get 7001.',
    reason: 'The only outcome in which the id stays unique.',
  },
  {
    n: 'N16',
    open: 'Among whose orders a `requestId` is unique.',
    choice:
      'Among the orders of one client, over both create paths. The journal notes an id that another client has used.',
    reason: 'Each client is a world of its own here, so that tests can run side by side.',
    settings: { 'requestIds.scope': oneOf(['client', 'global'], 'client') },
  },
  {
    n: 'N17',
    open: 'Whether a refused create uses up its `requestId`.',
    choice: 'No.',
    reason: '7001 speaks of an order that exists, and none does.',
  },
  {
    n: 'N18',
    open: 'The order in which a request is checked.',
    choice:
      'First the outside: path, method, Content-Type, size. Then the token, then whether the body is a JSON ' +
      'object with a `clientId` and well-formed signed members. Then whether client and token belong ' +
      'together, and the signature. Last the remaining fields, and whether the `requestId` is used up.',
    reason: 'What a signature is computed over must be sound before the signature can be judged.',
  },
  {
    n: 'N19',
    open: 'Which text a checkout request signs: the document prints two.',
    choice: 'Either one is accepted. The journal says which it was, and the start-up text advises to pin it.',
    reason: 'Both are printed, and neither is called wrong.',
    settings: {
      'signature.checkout': oneOf(['either', 'short', 'with-currency'], 'either', { scope: 'client' }),
    },
  },
  {
    n: 'N20',
    open: 'Whether the `Accept` header matters.',
    choice: 'No.',
    reason: 'Most requests are said to send it, so not all.',
  },
  {
    n: 'N21',
    open: 'Signatures in unpadded or URL-safe base64.',
    choice: 'Refused; the journal names the mistake.',
    reason: 'A strict service would refuse them, so the client should hear of it early.',
  },
  {
    n: 'N22',
    open: 'Which of two printed paths sets the webhook URL.',
    choice: 'Both are served and do the same. The journal notes which one was called.',
    reason: 'Both are printed.',
    settings: { 'paths.webhookUrl': oneOf(['both', 'short', 'fiat'], 'both', { scope: 'common' }) },
  },
  {
    n: 'N23',
    open: 'Which path creates subscriptions.',
    choice:
      'Only the one named after them. `interval` on the checkout path is ignored, with a warning in the journal.',
    reason: 'A subscription sent to the wrong path should not look as if it worked.',
    settings: { 'paths.subscription': oneOf(['own', 'both'], 'own', { scope: 'common' }) },
  },
  {
    n: 'N24',
    open: 'Which fields a subscription needs.',
    choice:
      '`currencyId`, `fiatAmount`, `email`, `requestId`, `clientId`, `interval`. The others may be left ' +
      'out: `paymentMethodId`, `userId`, `trialPeriodDays`, `requestDescription`, `mode`, and `targetApp`, ' +
      'unless `mode` is `returnAppUrl`.',
    reason: 'What a checkout requires, and what is signed always.',
  },
  {
    n: 'N25',
    open: 'Intervals other than `MONTHLY`.',
    choice: 'None, until they are switched on.',
    reason: 'Only `MONTHLY` is printed.',
    settings: {
      'subscription.intervals': setting(
        z.array(z.enum(['DAILY', 'WEEKLY', 'MONTHLY', 'QUARTERLY', 'YEARLY'])).min(1),
        ['MONTHLY'],
        { allowed: 'a list of `DAILY`, `WEEKLY`, `MONTHLY`, `QUARTERLY`, `YEARLY`', scope: 'client' },
      ),
    },
  },
  {
    n: 'N26',
    open: 'The answer to a subscription.',
    choice: 'The same as to a checkout. `compact` has `requestId`, `url`, `token` and `status` only.',
    reason: 'No other shape is printed.',
    settings: { 'responses.subscription': oneOf(['like-checkout', 'compact'], 'like-checkout') },
  },
  {
    n: 'N27',
    open: 'Bounds of `trialPeriodDays`.',
    choice:
      'One to three digits, at most 365. `"0"` means no trial and is signed; what came is what is signed.',
    reason: 'A year bounds a trial generously; `"0"` is not empty, so the signature includes it.',
  },
] as const satisfies readonly Choice[]
