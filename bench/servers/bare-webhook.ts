import { createHmac } from 'node:crypto'
import type { Pool } from 'undici'

/** About as long as that of a webhook. */
export const body = JSON.stringify({
  eventType: 'BUY',
  orderStatus: 'CREATED',
  filling: 'x'.repeat(600),
})
export const path = '/webhook'
export const plain = {
  'content-type': 'application/json',
  'user-agent': 'payment-order-emulator',
  'webhook-id': 'msg_01a2007e16fb76878fd32ce38294cdf5_1',
  'webhook-timestamp': '1790000000',
  'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
}
const key = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')
const hmac = (text: string) => createHmac('sha256', key).update(text).digest('base64')

/** The headers of a webhook that leaves now. */
export function signed(id: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = `v1,${hmac(`${id}.${timestamp}.${body}`)}`
  return { ...plain, 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
}

/** Sends a POST without the streams of undici's `request`, as the emulator does. */
export function post(sender: Pool, headers: Record<string, string>, onEnd: (status: number) => void): void {
  let status = 0
  const handler = {
    onRequestStart() {},
    onResponseStart(_: unknown, code: number) {
      status = code
    },
    onResponseData() {},
    onResponseEnd: () => onEnd(status),
    onResponseError(_: unknown, error: Error) {
      throw error
    },
  }
  sender.dispatch({ path, method: 'POST', headers, body }, handler)
}
