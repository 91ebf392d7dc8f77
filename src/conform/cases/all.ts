import type { Case } from '../case.ts'
import { normalLife } from './k01-normal-life.ts'
import { sameBytesAgain } from './k08-same-bytes-again.ts'
import { aheadOfTheLookup } from './k20-ahead-of-the-lookup.ts'

/** Every case, by its number. */
export const allCases: readonly Case[] = [normalLife, sameBytesAgain, aheadOfTheLookup]
