import type { Case } from '../case.ts'
import { normalLife } from './k01-normal-life.ts'
import { orderFails } from './k02-order-fails.ts'
import { answers } from './k03-answers.ts'
import { forgedSignature } from './k04-forged-signature.ts'
import { sameJson } from './k05-same-json.ts'
import { wrongTime } from './k06-wrong-time.ts'
import { nearlyRightTime } from './k07-nearly-right-time.ts'
import { sameBytesAgain } from './k08-same-bytes-again.ts'
import { newAttempts } from './k09-new-attempts.ts'
import { atOnce } from './k10-at-once.ts'
import { anotherId } from './k11-another-id.ts'
import { cutOff } from './k12-cut-off.ts'
import { aDayLater } from './k13-a-day-later.ts'
import { outOfOrder } from './k14-out-of-order.ts'
import { bothAtOnce } from './k15-both-at-once.ts'
import { lateWebhook } from './k16-late-webhook.ts'
import { beforeTheAnswer } from './k17-before-the-answer.ts'
import { lostAnswer } from './k18-lost-answer.ts'
import { createFails } from './k19-create-fails.ts'
import { aheadOfTheLookup } from './k20-ahead-of-the-lookup.ts'
import { paidButFailed } from './k21-paid-then-failed.ts'
import { unknownStatus } from './k22-unknown-status.ts'
import { newWordsInWebhooks } from './k23-new-words.ts'
import { unknownOrder } from './k24-unknown-order.ts'
import { otherClient } from './k25-other-client.ts'
import { noEvents } from './k26-no-events.ts'
import { hostileTexts } from './k27-hostile-texts.ts'
import { noWebhook } from './k28-no-webhook.ts'
import { lookupFailsInside } from './k29-lookup-fails-inside.ts'
import { tokenExpires } from './k30-token-expires.ts'
import { tokensRefused } from './k31-tokens-refused.ts'
import { lookupsFail } from './k32-lookups-fail.ts'
import { tooManyRequests } from './k33-too-many-requests.ts'
import { burst } from './k34-burst.ts'
import { refundFailsLater } from './k35-refund-fails.ts'
import { overAndUnderpaid } from './k36-over-and-underpaid.ts'
import { subscription } from './k37-subscription.ts'
import { twoLegs } from './k38-two-legs.ts'
import { movedUrl } from './k39-moved-url.ts'
import { forgedReturn } from './k40-forged-return.ts'
import { paidAfterFailure } from './k41-paid-after-failure.ts'
import { paidAfterGivingUp } from './k42-paid-after-giving-up.ts'
import { paidAgainAfterRefund } from './k43-paid-again-after-refund.ts'
import { returnAndWebhook } from './k44-return-and-webhook.ts'
import { sameCartTwice } from './k45-same-cart-twice.ts'
import { twoSignatures } from './k46-two-signatures.ts'
import { renewalsWithoutWebhooks } from './k47-renewals-without-webhooks.ts'
import { amountsAsAsked } from './k48-amounts.ts'
import { killedAtWork } from './k49-killed-at-work.ts'
import { lateFailedEvent } from './k50-late-failed-event.ts'
import { partialRefunds } from './k51-partial-refunds.ts'
import { lookupsDown } from './k52-lookups-down.ts'
import { chargesAtOnce } from './k53-charges-at-once.ts'
import { otherOffset } from './k54-other-offset.ts'
import { knownEventAgain } from './k55-known-event-again.ts'
import { lookupsFailForAMinute } from './k56-lookups-fail-for-a-minute.ts'
import { paidLateWithoutWebhook } from './k57-paid-late-without-webhook.ts'
import { secrets } from './k58-secrets.ts'

/** Order results, forged webhooks and duplicates: K01 to K13. */
const repeats: readonly Case[] = [
  normalLife,
  orderFails,
  answers,
  forgedSignature,
  sameJson,
  wrongTime,
  nearlyRightTime,
  sameBytesAgain,
  newAttempts,
  atOnce,
  anotherId,
  cutOff,
  aDayLater,
]

/** Late, early, simultaneous and missing webhooks: K14 to K22, K28, K29. */
const orderOfEvents: readonly Case[] = [
  outOfOrder,
  bothAtOnce,
  lateWebhook,
  beforeTheAnswer,
  lostAnswer,
  createFails,
  aheadOfTheLookup,
  paidButFailed,
  unknownStatus,
  noWebhook,
  lookupFailsInside,
]

/** Unknown, many, or foreign messages: K23 to K27, K34, K38 to K40. */
const messages: readonly Case[] = [
  newWordsInWebhooks,
  unknownOrder,
  otherClient,
  noEvents,
  hostileTexts,
  burst,
  twoLegs,
  movedUrl,
  forgedReturn,
]

/** Failing calls of the application, expired tokens, refunds, amounts and subscriptions: K30 to K33, K35 to K37. */
const calls: readonly Case[] = [
  tokenExpires,
  tokensRefused,
  lookupsFail,
  tooManyRequests,
  refundFailsLater,
  overAndUnderpaid,
  subscription,
]

/** Harder cases, from failures that the others do not show: K41 to K58. */
const harder: readonly Case[] = [
  paidAfterFailure,
  paidAfterGivingUp,
  paidAgainAfterRefund,
  returnAndWebhook,
  sameCartTwice,
  twoSignatures,
  renewalsWithoutWebhooks,
  amountsAsAsked,
  killedAtWork,
  lateFailedEvent,
  partialRefunds,
  lookupsDown,
  chargesAtOnce,
  otherOffset,
  knownEventAgain,
  lookupsFailForAMinute,
  paidLateWithoutWebhook,
  secrets,
]

/** All cases, by number. */
export const allCases: readonly Case[] = [
  ...repeats,
  ...orderOfEvents,
  ...messages,
  ...calls,
  ...harder,
].toSorted((a, b) => a.id.localeCompare(b.id))
