import { acceptedValues } from './accepted-values.ts'
import { amounts } from './amounts.ts'
import { answerOddities } from './answer-oddities.ts'
import { catalog } from './catalog.ts'
import { createAnswer } from './create-answer.ts'
import { createSignature } from './create-signature.ts'
import { cryptoLeg } from './crypto-leg.ts'
import { deliveryOrder, rotation } from './delivery-order.ts'
import { emulatorOnly } from './emulator-only.ts'
import { errorWords } from './error-words.ts'
import { expiry } from './expiry.ts'
import { ids } from './ids.ts'
import { lookups } from './lookups.ts'
import { orderEnd } from './order-end.ts'
import { paths } from './paths.ts'
import { paymentUrls } from './payment-urls.ts'
import { rateLimits } from './rate-limits.ts'
import { receivers } from './receivers.ts'
import { refundLookup } from './refund-lookup.ts'
import { refusals } from './refusals.ts'
import { requestIds } from './request-ids.ts'
import { retries } from './retries.ts'
import type { Rule } from './rule.ts'
import { statusWords } from './status-words.ts'
import { testAmounts } from './test-amounts.ts'
import { tokenRoute } from './token-route.ts'
import { tokens } from './tokens.ts'

/** All rules. Some read what earlier ones have found. */
export const rules: readonly Rule[] = [
  acceptedValues,
  amounts,
  answerOddities,
  catalog,
  createAnswer,
  createSignature,
  cryptoLeg,
  deliveryOrder,
  rotation,
  emulatorOnly,
  errorWords,
  expiry,
  ids,
  lookups,
  orderEnd,
  paths,
  paymentUrls,
  rateLimits,
  receivers,
  refundLookup,
  refusals,
  requestIds,
  retries,
  statusWords,
  testAmounts,
  tokenRoute,
  tokens,
]
