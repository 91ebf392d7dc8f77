import type { Case } from '../case.ts'
import { normalLife } from './k01-normal-life.ts'
import { sameBytesAgain } from './k08-same-bytes-again.ts'

/** How orders end, whose webhooks are believed, and what comes more than once: K01 to K13. */
export const repeats: readonly Case[] = [normalLife, sameBytesAgain]
