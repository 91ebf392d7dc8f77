import { deliveryOrder, rotation } from './delivery-order.ts'
import { emulatorOnly } from './emulator-only.ts'
import { expiry } from './expiry.ts'
import { receivers } from './receivers.ts'
import { retries } from './retries.ts'
import type { Rule } from './rule.ts'

/** All rules. Some read what earlier ones have found. */
export const rules: readonly Rule[] = [expiry, retries, receivers, deliveryOrder, rotation, emulatorOnly]
