import type { Case } from '../case.ts'

/** Messages that are strange, many, or not for the application: K23 to K27, K34, K38 to K40. */
export const messages: readonly Case[] = []
