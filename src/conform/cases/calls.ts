import type { Case } from '../case.ts'

/** Calls of the application that fail, tokens that expire, refunds, amounts and subscriptions: K30 to K33, K35 to K37. */
export const calls: readonly Case[] = []
