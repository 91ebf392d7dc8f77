import type { Case } from '../case.ts'
import { aheadOfTheLookup } from './k20-ahead-of-the-lookup.ts'

/** What comes late, early, at once or not at all: K14 to K22, K28, K29. */
export const orderOfEvents: readonly Case[] = [aheadOfTheLookup]
