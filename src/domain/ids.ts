import { createHash } from 'node:crypto'
import type { EpochMs } from './time.ts'

/** The two ids of a new order: different, time-ordered UUIDs (N58).
 *  They follow from the seed, the client, the requestId and the charge's number alone (their time part from
 *  `nowMs`), so the same test gets the same ids whatever else runs on the emulator. */
export function orderIds(
  seed: string,
  clientId: string,
  requestId: string,
  charge: number,
  nowMs: EpochMs,
): { orderId: string; token: string } {
  const bytes = digest([seed, clientId, requestId, charge])
  return { orderId: uuidV7(nowMs, bytes.subarray(0, 10)), token: uuidV7(nowMs, bytes.subarray(10, 20)) }
}

/** The ids of an order's n-th event: the delivery's own and the `webhook-id` its receiver sees. */
export function eventIds(orderId: string, sequence: number): { id: string; webhookId: string } {
  const suffix = `${orderId.replaceAll('-', '')}_${sequence}`
  return { id: `del_${suffix}`, webhookId: `msg_${suffix}` }
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
  const suffix = `${uuidV7(nowMs, bytes.subarray(0, 10)).replaceAll('-', '')}_s`
  return { id: `del_${suffix}`, webhookId: `msg_${suffix}` }
}

/** An on-chain transaction hash that follows from the orderId (N64h). */
export function txnHash(orderId: string): string {
  return `0x${createHash('sha256').update(orderId).digest('hex')}`
}

// JSON keeps the parts apart: no two lists of parts give one text.
const digest = (parts: readonly (string | number)[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest()

/** RFC 9562 version 7: 48 bits of milliseconds, then `random` (10 bytes), less the version and variant bits. */
function uuidV7(nowMs: EpochMs, random: Uint8Array): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(nowMs, 0, 6)
  bytes.set(random, 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
