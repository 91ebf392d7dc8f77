import * as z from 'zod'
import { catalogEntrySchema } from '../order/currencies.ts'
import { duration } from '../text/duration-schema.ts'
import { utcOffset } from '../text/time.ts'
import { answerField } from './answer-field.ts'
import { type Choice, httpBase, listOr, oneOf, setting } from './choice.ts'

/** Assumptions about creating orders. */
export const createOrderChoices = [
  {
    n: 'N1',
    open: 'Which values `targetApp` may have.',
    choice: 'Any text of 1 to 100 characters, except `INVALID_APP`. With a list, only the values in it.',
    reason:
      'The API specification does not show the real names. One refused value lets you test the error path.',
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
    reason: 'The field is optional, and only that mode requires it.',
  },
  {
    n: 'N3',
    open: 'Which currencies exist, and what each of them requires.',
    choice:
      'Any `currencyId` that is not empty. A catalogue entry sets the rules for the ids that it ' +
      'matches: decimals, minimum and maximum amount, required fields, and the crypto asset with ' +
      'its rate. An id without an entry is accepted, or refused if the setting says so.',
    reason: 'Clients get their ids at onboarding; currencies may require more fields (R43, R45).',
    settings: {
      'currencies.catalog': setting(z.array(catalogEntrySchema).max(1000), [], {
        allowed:
          'a list of entries with `match` (a `*` at its end matches any ending), and optionally `decimals`, ' +
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
    reason: 'Clients get their ids at onboarding.',
  },
  {
    n: 'N5',
    open: 'The minimum and maximum amount, and whether zero is allowed.',
    choice: 'Greater than zero, without an upper limit. The catalogue can set limits per currency.',
    reason: 'An order for an amount of zero is a bug in the client and should fail visibly.',
    also: ['currencies.catalog'],
  },
  {
    n: 'N6',
    open: 'Which spellings of an amount are valid.',
    choice: 'Digits, optionally followed by a point and one or two digits: `^\\d+(\\.\\d{1,2})?$`.',
    reason: 'The strictest reading of "at most two decimals" catches signs, spaces, commas and exponents.',
  },
  {
    n: 'N7',
    open: 'Which field of the answer carries the URL that `mode` asks for.',
    choice:
      '`url`, at the top level, for both modes. Without `mode` the field is left out. A path such as ' +
      '`offerInfoData.url` puts it into an object.',
    reason:
      'The API specification promises a URL but shows no field for it; this is the simplest name and place.',
    settings: {
      'responses.urlField': setting(answerField, 'url', {
        allowed: 'the name of a JSON field, or the names on the way to it such as `offerInfoData.url`',
      }),
    },
  },
  {
    n: 'N8',
    open: 'The form of those URLs.',
    choice:
      '`{publicBaseUrl}/pay/<token>` for `returnUrl`, `paymentemulator://pay?token=<token>&app=<targetApp>` for ' +
      '`returnAppUrl`. If unset, the base is the address at which the caller reached the emulator. ' +
      '`paths.paymentPage` puts the pages under another path too.',
    reason: 'The first must open in a browser (R34); the second must be an application URL (R35).',
    settings: {
      publicBaseUrl: setting(httpBase.nullable(), null, {
        allowed: 'an absolute http or https URL, or nothing',
        scope: 'common',
      }),
    },
    also: ['paths.paymentPage'],
  },
  {
    n: 'N9',
    open: '`selectedPaymentMethod` when the request does not name a method.',
    choice: '`ALL`.',
    reason: 'The field must be text in this case too (R56), and `ALL` does not name a single method.',
    also: ['responses.selectedPaymentMethod'],
  },
  {
    n: 'N10',
    open: 'Whether `totalFiatAmount` includes fees, and its format.',
    choice: "The request's `fiatAmount`, character for character, without fees.",
    reason:
      'The API specification shows no fees, and a text that is not reformatted cannot be rounded wrongly.',
    also: ['amounts.echo', 'amounts.fee'],
  },
  {
    n: 'N11',
    open: 'How long an order can be paid.',
    choice: '15 minutes from its creation.',
    reason: 'A usual time limit among payment services, and short enough to reach in a test.',
    settings: {
      'orders.expiry': setting(
        duration.refine((ms) => ms > 0, 'must be longer than zero'),
        '15m',
        { allowed: 'a duration such as `15m`' },
      ),
    },
  },
  {
    n: 'N12',
    open: 'What happens when an order expires.',
    choice:
      'Nothing: the status stays. The payment page no longer accepts a payment; a test can still pay late ' +
      'through the control API.',
    reason:
      'The API specification shows no transition. `fail` and `abandon` are the two other common behaviours.',
    settings: { 'orders.onExpiry': oneOf(['keep', 'fail', 'abandon'], 'keep') },
  },
  {
    n: 'N13',
    open: 'The precision of `expiryTs`, and its UTC offset.',
    choice: 'Six digits after the second, and `+00:00`.',
    reason: 'An offset is required (R16). Parsers that support only milliseconds, or only `Z`, fail on it.',
    settings: {
      'time.expiryFraction': setting(z.int().min(0).max(9), 6, { allowed: 'a number of digits from 0 to 9' }),
      'time.offset': setting(utcOffset, '+00:00', { allowed: 'a UTC offset such as `+00:00` or `-03:00`' }),
    },
  },
  {
    n: 'N14',
    open: 'The answer to an identical create request that is sent again.',
    choice: 'Error 7001, as for any other body.',
    reason: 'The API specification does not mention idempotent retries.',
  },
  {
    n: 'N15',
    open: 'Several concurrent create requests with one `requestId`.',
    choice: 'Exactly one succeeds; the others get 7001.',
    reason: 'Only this outcome keeps the id unique.',
  },
  {
    n: 'N16',
    open: 'The scope in which a `requestId` is unique.',
    choice:
      'All orders of one client, over both create paths. The request log notes an id that another client has used.',
    reason: 'Each client is an isolated sandbox, so that tests can run in parallel.',
    settings: { 'requestIds.scope': oneOf(['client', 'global'], 'client') },
  },
  {
    n: 'N17',
    open: 'Whether a refused create request uses up its `requestId`.',
    choice: 'No.',
    reason: 'Error 7001 means that an order exists, and here none does.',
  },
  {
    n: 'N18',
    open: 'The order of the checks of a request.',
    choice:
      'First path, method, Content-Type and size. Then the token and the rate limits (N81), then whether the body is a JSON ' +
      'object with a `clientId` and well-formed signed fields. Then whether client and token belong ' +
      'together, and the signature. Last the remaining fields, and whether the `requestId` is already used.',
    reason: 'The signed fields must be valid before the signature can be checked.',
  },
  {
    n: 'N19',
    open: 'Which text a checkout request signs: the API specification shows two.',
    choice:
      'Either one is accepted. The request log says which one was used, and the start-up text advises you to pin it.',
    reason: 'The API specification shows both, and calls neither of them wrong.',
    settings: {
      'signature.checkout': oneOf(['either', 'short', 'with-currency'], 'either', { scope: 'client' }),
    },
  },
  {
    n: 'N20',
    open: 'Whether the `Accept` header matters.',
    choice: 'No.',
    reason: 'The API specification says that most requests send it, so not all of them do.',
  },
  {
    n: 'N21',
    open: 'Signatures in unpadded or URL-safe base64.',
    choice: 'Refused; the request log names the mistake.',
    reason: 'A strict service would refuse them, so you should find out early.',
  },
  {
    n: 'N22',
    open: 'Which of the two documented paths sets the webhook URL.',
    choice: 'Both are served and do the same. The request log notes which one was called.',
    reason: 'The API specification shows both.',
    settings: { 'paths.webhookUrl': oneOf(['both', 'short', 'fiat'], 'both', { scope: 'common' }) },
  },
  {
    n: 'N23',
    open: 'Which path creates subscriptions.',
    choice:
      'Only the subscription path. `interval` on the checkout path is ignored, with a warning in the request log.',
    reason: 'A subscription that goes to the wrong path should not look as if it worked.',
    settings: { 'paths.subscription': oneOf(['own', 'both'], 'own', { scope: 'common' }) },
  },
  {
    n: 'N24',
    open: 'Which fields a subscription requires.',
    choice:
      '`currencyId`, `fiatAmount`, `email`, `requestId`, `clientId`, `interval`. These are ' +
      'optional: `paymentMethodId`, `userId`, `trialPeriodDays`, `requestDescription`, `mode`, and `targetApp`, ' +
      'unless `mode` is `returnAppUrl`.',
    reason: 'The fields that a checkout requires, and those that are always signed.',
  },
  {
    n: 'N25',
    open: 'Intervals other than `MONTHLY`.',
    choice: 'None, unless you enable them.',
    reason: 'The API specification shows only `MONTHLY`.',
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
    open: 'The answer to a create request for a subscription.',
    choice: 'The same as for a checkout. `compact` has `requestId`, `url`, `token` and `status` only.',
    reason: 'The API specification shows no other shape.',
    settings: { 'responses.subscription': oneOf(['like-checkout', 'compact'], 'like-checkout') },
  },
  {
    n: 'N27',
    open: 'The range of `trialPeriodDays`.',
    choice: 'One to three digits, at most 365. `"0"` means no trial, and is signed exactly as it was sent.',
    reason: 'One year is a generous limit for a trial; `"0"` is not empty, so the signature includes it.',
  },
] as const satisfies readonly Choice[]
