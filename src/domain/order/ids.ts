import { createHash, createHmac, hash } from 'node:crypto'
import * as z from 'zod'
import type { EpochMs } from '../text/time.ts'

/** The maximum length of a requestId. Percent-encoded, with nine bytes a character, it still fits into a lookup's
 *  header limit of 16 KiB. */
export const requestIdCharacters = 1_000

/** The schema of a requestId that a lookup can ask for. */
export const requestId = z
  .string()
  .min(1)
  .max(requestIdCharacters)
  .refine((text) => text.isWellFormed(), 'contains half of a surrogate pair; send valid Unicode')

/** The orderId and token of a new order: different UUIDs, the orderId ordered by time (N58). They depend only on the
 *  seed, client, requestId, charge and time, so a test gets the same ids whatever else runs. The token opens a
 *  payment page: a hash keyed by the seed, which the orderId does not reveal. */
export function orderIds(
  seed: string,
  clientId: string,
  requestId: string,
  charge: number,
  nowMs: EpochMs,
): { orderId: string; token: string } {
  const named = JSON.stringify(['token', clientId, requestId, charge, nowMs])
  return {
    orderId: uuidV7(uuidBeginning(nowMs), digest([seed, clientId, requestId, charge])),
    token: uuidV4(createHmac('sha256', seed).update(named).digest('hex')),
  }
}

/** Returns an orderId and token in another form and length, for a sweep. */
export function otherOrderIds({ orderId, token }: ReturnType<typeof orderIds>): ReturnType<typeof orderIds> {
  return {
    orderId: `ord_${digest([orderId]).slice(0, 24)}`,
    token: `${digest([token])}.${digest([token, 2])}`,
  }
}

/** Whether a sweep has given an orderId another form. Where `orders.orderIdEqualsToken` is set, it is the token. */
export const isOtherOrderId = (orderId: string): boolean =>
  /^(ord_[\da-f]{24}|[\da-f]{64}\.[\da-f]{64})$/.test(orderId)

/** Ids of an order that does not exist, derived from the id of an existing one. */
export function unknownIds(orderId: string): { orderId: string; requestId: string } {
  return {
    orderId: uuidV4(digest([orderId, 'stranger'])),
    requestId: uuidV4(digest([orderId, 'stranger', 'requestId'])),
  }
}

/** The ids of an order's n-th event: the id of the delivery, and the `webhook-id`.
 *  @param copy distinguishes events with the same sequence, from 1; 0 for the first */
export function eventIds(orderId: string, sequence: number, copy = 0): { id: string; webhookId: string } {
  const suffix = `${orderId.replaceAll('-', '')}_${sequence}${copy === 0 ? '' : `_${copy}`}`
  return { id: `del_${suffix}`, webhookId: `msg_${suffix}` }
}

/** Returns the id of an order's n-th refund, counted from 1. */
export function refundId(orderId: string, n: number, nowMs: EpochMs): string {
  return uuidV7(uuidBeginning(nowMs), digest([orderId, 'refund', n]))
}

/** The ids of the n-th simulated event under a requestId. */
export function simulationIds(
  seed: string,
  clientId: string,
  requestId: string,
  n: number,
  nowMs: EpochMs,
): { id: string; webhookId: string } {
  const bytes = digest([seed, clientId, requestId, 'simulation', n])
  const suffix = `${uuidV7(uuidBeginning(nowMs), bytes).replaceAll('-', '')}_s`
  return { id: `del_${suffix}`, webhookId: `msg_${suffix}` }
}

/** An on-chain transaction hash derived from the orderId (N64h). */
export function txnHash(orderId: string): string {
  return `0x${createHash('sha256').update(orderId).digest('hex')}`
}

// JSON separates the parts: different lists never give the same text.
const digest = (parts: readonly (string | number)[]) => hash('sha256', JSON.stringify(parts))

/** The first 13 digits of a time-ordered UUID: 48 bits of milliseconds, and the version. */
function uuidBeginning(nowMs: EpochMs): string {
  const time = nowMs.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7`
}

/** A UUID of RFC 9562 version 7: 48 bits of time and 74 bits of `random`, which is hexadecimal. */
function uuidV7(beginning: string, random: string): string {
  return `${beginning}${random.slice(0, 3)}-${variantOf(random.slice(3, 4))}${random.slice(4, 7)}-${random.slice(7, 19)}`
}

/** A UUID of RFC 9562 version 4 from 122 bits of `random`, which is hexadecimal. */
function uuidV4(random: string): string {
  const groups = [random.slice(0, 8), random.slice(8, 12), `4${random.slice(13, 16)}`]
  return [...groups, `${variantOf(random.slice(16, 17))}${random.slice(17, 20)}`, random.slice(20, 32)].join(
    '-',
  )
}

/** Returns the digit of a UUID that names its variant, with two random bits. */
const variantOf = (random: string) => '89ab'[Number.parseInt(random, 16) & 3]
