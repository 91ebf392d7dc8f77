import { acceptedValues } from './accepted-values.ts'
import { amounts } from './amounts.ts'
import { answerOddities } from './answer-oddities.ts'
import { catalog } from './catalog.ts'
import { createAnswer } from './create-answer.ts'
import { createSignature } from './create-signature.ts'
import { cryptoLeg } from './crypto-leg.ts'
import { deliveryOrder, rotation } from './delivery-order.ts'
import { emulatorOnly } from './emulator-only.ts'
import { errorCatalog } from './error-catalog.ts'
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
import { webhookBatch } from './webhook-batch.ts'
import { webhookEvents } from './webhook-events.ts'
import { webhookFormat } from './webhook-format.ts'
import { webhookHeaders } from './webhook-headers.ts'
import { webhookJwt } from './webhook-jwt.ts'
import { refundStatuses } from './webhook-refunds.ts'
import { webhookSignature } from './webhook-signature.ts'
import { webhookTemplate } from './webhook-template.ts'
import { webhookWords } from './webhook-words.ts'

/** All rules. Some read what earlier ones have found. */
export const rules: readonly Rule[] = [
  requestIds,
  catalog,
  acceptedValues,
  createSignature,
  paths,
  createAnswer,
  paymentUrls,
  amounts,
  expiry,
  ids,
  refusals,
  errorWords,
  errorCatalog,
  rateLimits,
  tokens,
  tokenRoute,
  lookups,
  cryptoLeg,
  refundLookup,
  orderEnd,
  statusWords,
  testAmounts,
  webhookSignature,
  webhookJwt,
  webhookFormat,
  webhookBatch,
  webhookEvents,
  webhookWords,
  webhookTemplate,
  refundStatuses,
  webhookHeaders,
  retries,
  receivers,
  deliveryOrder,
  rotation,
  answerOddities,
  emulatorOnly,
]
