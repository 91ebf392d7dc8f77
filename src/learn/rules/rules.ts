import { expiry } from './expiry.ts'
import type { Rule } from './rule.ts'

/** All rules. Some read what earlier ones have found. */
export const rules: readonly Rule[] = [expiry]
