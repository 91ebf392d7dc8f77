import type { Case } from '../case.ts'
import { tokenExpires } from './k30-token-expires.ts'
import { tokensRefused } from './k31-tokens-refused.ts'
import { lookupsFail } from './k32-lookups-fail.ts'
import { tooManyRequests } from './k33-too-many-requests.ts'
import { refundFailsLater } from './k35-refund-fails.ts'
import { overAndUnderpaid } from './k36-over-and-underpaid.ts'
import { subscription } from './k37-subscription.ts'

/** Calls of the application that fail, tokens that expire, refunds, amounts and subscriptions: K30 to K33, K35 to K37. */
export const calls: readonly Case[] = [
  tokenExpires,
  tokensRefused,
  lookupsFail,
  tooManyRequests,
  refundFailsLater,
  overAndUnderpaid,
  subscription,
]
