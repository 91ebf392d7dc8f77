import type { Case } from '../case.ts'
import { outOfOrder } from './k14-out-of-order.ts'
import { bothAtOnce } from './k15-both-at-once.ts'
import { lateWebhook } from './k16-late-webhook.ts'
import { beforeTheAnswer } from './k17-before-the-answer.ts'
import { lostAnswer } from './k18-lost-answer.ts'
import { createFails } from './k19-create-fails.ts'
import { aheadOfTheLookup } from './k20-ahead-of-the-lookup.ts'
import { paidButFailed } from './k21-paid-then-failed.ts'
import { unknownStatus } from './k22-unknown-status.ts'
import { noWebhook } from './k28-no-webhook.ts'
import { lookupFailsInside } from './k29-lookup-fails-inside.ts'

/** What comes late, early, at once or not at all: K14 to K22, K28, K29. */
export const orderOfEvents: readonly Case[] = [
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
