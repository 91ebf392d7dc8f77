/** What an ordinary suite notices of a bug, decided before any sweep ran. Later changes are marked. */
export type Sight =
  /** Under any of these behaviours it sees `sees`. `missed`, which came later: why sweeps do not say BROKE for it. */
  | { readonly by: readonly string[]; readonly sees: string; readonly missed?: string }
  /** It is red without a sweep. */
  | { readonly alone: string }
  /** No behaviour shows it to the suite. */
  | { readonly never: string }

const polled = 'the poller settles the order within a second'
const forged = 'needs a forged webhook'
const untrue = 'needs a genuine webhook that is not true'
const handWritten = 'needs an address that somebody wrote by hand'
const lostCounts = 'a webhook that was lost for good counts as kept back: waited'
const mayLookAgain = 'who was shown CREATED may look again later: waited'
const secondCharge = 'needs a second charge of a subscription'
const refund = 'needs a refund'
const cancelled = 'needs a customer who cancels'
const otherCart = 'needs a cart that is submitted again'
const otherAmount = 'needs another amount'
const lateStatus = 'needs an order that is paid after it has failed'
const killed = 'needs an application that is killed'
const outage = 'needs lookups that keep failing'
const expiry = 'needs an order that stays open, with times of another offset'
const sameMoment = 'needs a browser that returns as the webhook arrives'

/** The bugs of the reference applications with `ordinary-suite.ts`, and those of the examples with their happy path. By
 *  the folder of the application and the name of the patch. */
export const bugs: Readonly<Record<string, Readonly<Record<string, Sight>>>> = {
  'test/conform/applications/express': {
    'answers-when-done': { never: 'the answer comes in time; only every fourth is slow' },
    'believes-sister-shops': { never: "needs another client's webhook about this shop's order" },
    'believes-webhooks': { never: untrue },
    'crashes-on-malformed': { never: 'needs a webhook that is no event' },
    'forgets-after-a-day': { never: 'needs a repeat after more than a day on the clock of the shop' },
    'gives-up-on-html': {
      by: ['lookup-html'],
      sees: 'declined instead of paid',
      missed: 'it sends nothing more about the order: gave up',
    },
    'goes-back': { by: ['webhook-reversed', 'webhook-again-later'], sees: 'waiting instead of paid' },
    'keeps-its-old-token': { never: 'each call is repeated well; nobody counts them' },
    'one-parcel-per-subscription': { never: secondCharge },
    'remembers-fifty': { never: 'needs more than fifty open orders' },
    'ships-for-every-webhook': {
      by: ['webhook-twice', 'webhook-again-later', 'webhook-unknown-event', 'webhook-late'],
      sees: 'two parcels',
    },
    'ships-per-order-type': { never: 'needs a payment that is told as two legs' },
    'ships-when-opened': { alone: 'a parcel for a declined order' },
    'takes-7001-for-a-bad-token': { by: ['create-answer-lost'], sees: '404 for the order' },
    'thanks-the-browser': { never: handWritten },
    'cancels-at-night': { never: untrue },
    'counts-refunds': { never: refund },
    'cuts-cents': { never: otherAmount },
    'forgets-after-two-days': { never: refund },
    'forgets-paid-orders': { never: 'nobody counts how often a webhook comes again' },
    'hangs-up-on-declined': { never: lateStatus },
    'lets-the-browser-in': { never: handWritten },
    'never-rests': { never: 'nobody counts the lookups' },
    'one-parcel-for-all-that-is-new': { never: secondCharge },
    'return-writes-back': { never: sameMoment },
    'secret-in-metadata': { never: 'nobody searches the calls for secrets' },
    'sends-again-after-400-ms': {
      by: ['webhook-twice', 'webhook-again-later'],
      sees: 'two parcels',
    },
    'stops-after-three-minutes': { never: 'no test pays so late' },
    'writes-later': { never: killed },
    'notes-carts-late': { never: otherCart },
    'writes-orders-when-opened': { never: killed },
  },
  'test/conform/applications/hono': {
    'answer-overwrites-webhook': {
      never: 'needs a payment before the create answer; the suite moves the clock after it',
    },
    'checks-no-timestamp': { never: 'needs a recorded webhook' },
    'compares-amounts': { never: 'needs an order that is overpaid' },
    'dedupes-by-request': { by: ['webhook-unknown-event'], sees: 'two parcels' },
    'dedupes-by-webhook-id': { by: ['webhook-unknown-event'], sees: 'two parcels' },
    'dies-with-the-connection': { by: ['webhook-cut'], sees: 'waiting instead of paid' },
    'logs-wrong-signatures': { never: forged },
    'never-renews-its-token': { by: ['token-expires'], sees: 'waiting instead of paid' },
    'opens-another-order': {
      by: ['create-answer-lost', 'create-answer-500'],
      sees: 'paid, with an order that was not to be declined',
    },
    'poller-has-its-own-book': { by: ['webhook-late'], sees: 'two parcels' },
    'ships-on-any-answer': { alone: 'a parcel for a declined order' },
    'ships-on-payment': { never: 'needs an order that is paid and then fails' },
    'strict-events': { never: polled },
    'takes-unknown-for-paid': { by: ['lookup-unknown-status'], sees: 'paid instead of declined' },
    'tolerates-one-minute': { never: 'needs a clock that is minutes off' },
    'trusts-signed-webhooks': { never: untrue },
    'verifies-other-bytes': { never: polled },
    'any-refund-cancels': { never: refund },
    'believes-failures': { never: untrue },
    'cancelled-is-the-end': { never: cancelled },
    'conflict-for-known-events': { never: 'nobody counts how often a webhook comes again' },
    'cuts-the-offset-off': { never: expiry },
    'failed-is-the-end': { never: lateStatus },
    'falls-back-on-the-webhook': { never: untrue },
    'first-signature-only': { never: polled },
    'knows-no-carts': { never: otherCart },
    'leaves-renewals-to-webhooks': { never: secondCharge },
    'looks-five-times': { never: 'no test pays so late' },
    'one-version-only': { never: polled },
    'refund-starts-anew': { never: refund },
    'refund-ends-subscriptions': { never: refund },
  },
  'test/conform/applications/python': {
    'believes-lost-creates': { by: ['create-503'], sees: 'waiting instead of paid' },
    'believes-the-browser': { never: handWritten },
    'check-then-act': { by: ['webhook-twice', 'webhook-retry-meets-next'], sees: 'two parcels' },
    'compares-no-signature': { never: forged },
    'escapes-too-early': { never: 'nobody looks at what the service was told' },
    'forgets-failed-lookups': {
      by: ['lookup-behind', 'webhook-late'],
      sees: 'waiting instead of paid',
      missed: mayLookAgain,
    },
    'fulfils-on-created': { alone: 'a parcel for a declined order' },
    'ignores-retry-after': { never: 'the call is repeated well; nobody measures the pause' },
    'knows-three-statuses': { never: 'the unknown status shows once, and the webhook comes again' },
    'knows-two-error-codes': { never: 'needs an error code that no document lists' },
    'locks-by-event': { by: ['webhook-retry-meets-next'], sees: 'two parcels' },
    'looks-for-refund-errors-inside': { never: 'needs a refund' },
    'matches-the-exact-url': { never: 'needs a webhook URL with a query' },
    'refreshes-for-ever': { never: 'needs new tokens that are refused as well' },
    'takes-7001-for-a-bad-token': { by: ['create-answer-lost'], sees: 'declined instead of paid' },
    'takes-unsigned': { never: forged },
    'waits-for-unknown-orders': { by: ['webhook-unknown-order'], sees: 'a test that is not done in time' },
    'waits-for-webhooks': {
      by: ['webhook-lost', 'webhook-late', 'lookup-behind'],
      sees: 'waiting instead of paid',
      missed: lostCounts,
    },
    'compares-times-as-texts': { never: expiry },
    'deletes-cancelled-orders': { never: cancelled },
    'groups-thousands': { never: otherAmount },
    'logs-its-token': { never: 'nobody searches the log for secrets' },
    'looks-for-five-weeks': { never: secondCharge },
    'marks-before-doing': { never: killed },
    'reads-one-record': { never: secondCharge },
    'replaces-orders': { never: otherCart },
    'retries-in-transport': { never: outage },
    'return-looks-first': { never: sameMoment },
  },
  'examples/vitest': {
    'believes-webhooks': { never: untrue },
    'declines-for-good': { never: lateStatus },
    'fails-for-7001': { never: 'needs a second click' },
    'goes-back': { by: ['webhook-reversed', 'webhook-again-later'], sees: 'two parcels' },
    'keeps-expired-token': { never: 'its token was handed to it, and never expires' },
    'keeps-too-late': { never: 'only CREATED can come before the answer, and says nothing yet' },
    'opens-another-order': { by: ['create-answer-lost', 'create-answer-500'], sees: '503 for the purchase' },
    'reconciler-ships-again': { never: 'needs a webhook while the reconciler looks orders up' },
    'ships-declined': { alone: 'a parcel for a declined order' },
    'ships-twice': { by: ['webhook-twice'], sees: 'two parcels' },
    'takes-unsigned': { never: forged },
    'verifies-other-bytes': { never: 'the test has the shop reconcile before it looks' },
    'waits-for-webhooks': {
      by: ['lookup-behind', 'webhook-lost'],
      sees: 'waiting instead of shipped',
      missed: 'its tests end before the last attempt of a webhook: waited',
    },
  },
  'examples/jest': {
    'failed-charge-counts': { never: 'needs a charge that fails' },
    'first-charge-only': { never: secondCharge },
    'month-from-last-charge': { never: secondCharge },
    'month-per-webhook': { by: ['webhook-twice', 'webhook-again-later'], sees: 'access for a month more' },
    'no-end-of-trial': {
      by: ['lookup-behind', 'webhook-lost'],
      sees: 'access for ever',
      missed: lostCounts,
    },
    'thirty-days': { alone: 'access after the end of the month' },
  },
  // Its only suite is the one that catches all three.
  'examples/playwright': {
    'believes-the-browser': { alone: 'thanks for an order that was not paid' },
    'same-order-again': { alone: 'an error on the second attempt' },
    'thanks-too-early': { alone: 'thanks for an order that was not paid' },
  },
  'examples/python': { 'ships-twice': { by: ['webhook-twice'], sees: 'two parcels' } },
  'examples/go': {
    'declines-unknown': { by: ['lookup-unknown-status'], sees: 'declined instead of shipped' },
  },
}
