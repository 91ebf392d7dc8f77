import { acceptedValues } from './accepted-values.ts'
import { amounts } from './amounts.ts'
import { createAnswer } from './create-answer.ts'
import { createSignature } from './create-signature.ts'
import { cryptoLeg } from './crypto-leg.ts'
import { deliveryOrder, rotation } from './delivery-order.ts'
import { emulatorOnly } from './emulator-only.ts'
import { errorWords } from './error-words.ts'
import { expiry } from './expiry.ts'
import { ids } from './ids.ts'
import { lookups } from './lookups.ts'
import { paths } from './paths.ts'
import { paymentUrls } from './payment-urls.ts'
import { receivers } from './receivers.ts'
import { refundLookup } from './refund-lookup.ts'
import { refusals } from './refusals.ts'
import { retries } from './retries.ts'
import type { Rule } from './rule.ts'
import { testAmounts } from './test-amounts.ts'
import { tokens } from './tokens.ts'

/** All rules. Some read what earlier ones have found. */
export const rules: readonly Rule[] = [
  acceptedValues,
  amounts,
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
  paths,
  paymentUrls,
  receivers,
  refundLookup,
  refusals,
  retries,
  testAmounts,
  tokens,
]
