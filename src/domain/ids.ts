import { createHash, hash } from 'node:crypto'
import { orderKey } from './order-key.ts'
import { keepingLast } from './remembered.ts'
import type { EpochMs } from './time.ts'

/** The two ids of a new order: different, time-ordered UUIDs (N58).
 *  They follow from the seed, the client, the requestId and the charge's number alone (their time part from
 *  `nowMs`), so the same test gets the same ids whatever else runs on the emulator.
 *
 *  Those of a first charge end with the order's key, by which the store finds them; those of the next charges, which
 *  have the same key, do not. Neither id leads to the other: a token opens a payment page. */
export function orderIds(
  seed: string,
  clientId: string,
  requestId: string,
  charge: number,
  nowMs: EpochMs,
): { orderId: string; token: string } {
  const random = digest([seed, clientId, requestId, charge])
  const beginning = uuidBeginning(nowMs)
  const ending = charge === 1 ? orderKey(clientId, requestId) : ''
  return {
    orderId: uuidV7(beginning, random.slice(0, 32), ending),
    token: uuidV7(beginning, random.slice(32), ending),
  }
}

/** The ids of an order's n-th event: the delivery's own and the `webhook-id` its receiver sees.
 *  @param copy tells those of one sequence apart, from 1; 0 for the first */
export function eventIds(orderId: string, sequence: number, copy = 0): { id: string; webhookId: string } {
  const suffix = `${orderId.replaceAll('-', '')}_${sequence}${copy === 0 ? '' : `_${copy}`}`
  return { id: `del_${suffix}`, webhookId: `msg_${suffix}` }
}

/** The id of an order's n-th refund, from 1. */
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

/** An on-chain transaction hash that follows from the orderId (N64h). */
export function txnHash(orderId: string): string {
  return `0x${createHash('sha256').update(orderId).digest('hex')}`
}

// JSON keeps the parts apart: no two lists of parts give one text.
const digest = (parts: readonly (string | number)[]) => hash('sha256', JSON.stringify(parts))

/** What the UUIDs of a moment begin with: 48 bits of milliseconds, and the version. Written in two halves, as JavaScript
 *  writes small integers three times as fast. */
const uuidBeginning = keepingLast((nowMs: EpochMs) => {
  const time = halfText(Math.floor(nowMs / half)) + halfText(nowMs % half)
  return `${time.slice(0, 8)}-${time.slice(8)}-7`
})

const half = 2 ** 24
const halfText = (bits: number) => bits.toString(16).padStart(6, '0')

/** RFC 9562 version 7: 48 bits of time, then 74 of `random` around those that tell version and variant; both are
 *  hexadecimal digits.
 *  @param ending stands for as many of the last digits */
function uuidV7(beginning: string, random: string, ending = ''): string {
  const variant = '89ab'[Number.parseInt(random.slice(3, 4), 16) & 3]
  const last = random.slice(7, 19 - ending.length) + ending
  return `${beginning}${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${last}`
}
