import { amounts } from './answers/amounts.ts'
import { answerOddities } from './answers/answer-oddities.ts'
import { catalog } from './answers/catalog.ts'
import { createAnswer } from './answers/create-answer.ts'
import { cryptoLeg } from './answers/crypto-leg.ts'
import { expiry } from './answers/expiry.ts'
import { ids } from './answers/ids.ts'
import { lookups } from './answers/lookups.ts'
import { orderEnd } from './answers/order-end.ts'
import { paymentUrls } from './answers/payment-urls.ts'
import { refundLookup } from './answers/refund-lookup.ts'
import { requestIds } from './answers/request-ids.ts'
import { statusWords } from './answers/status-words.ts'
import { testAmounts } from './answers/test-amounts.ts'
import { acceptedValues } from './calls/accepted-values.ts'
import { createSignature } from './calls/create-signature.ts'
import { errorCatalog } from './calls/error-catalog.ts'
import { errorWords } from './calls/error-words.ts'
import { paths } from './calls/paths.ts'
import { rateLimits } from './calls/rate-limits.ts'
import { refusals } from './calls/refusals.ts'
import { tokenRoute } from './calls/token-route.ts'
import { tokens } from './calls/tokens.ts'
import { deliveryOrder, rotation } from './deliveries/delivery-order.ts'
import { receivers } from './deliveries/receivers.ts'
import { retries } from './deliveries/retries.ts'
import { emulatorOnly } from './emulator-only.ts'
import type { Rule } from './rule.ts'
import { webhookBatch } from './webhook/batch.ts'
import { webhookEvents } from './webhook/events.ts'
import { webhookFormat } from './webhook/format.ts'
import { webhookHeaders } from './webhook/headers.ts'
import { webhookJwt } from './webhook/jwt.ts'
import { refundStatuses } from './webhook/refunds.ts'
import { webhookSignature } from './webhook/signature.ts'
import { webhookTemplate } from './webhook/template.ts'
import { webhookWords } from './webhook/words.ts'

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
