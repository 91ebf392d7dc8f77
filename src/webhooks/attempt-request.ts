import { Readable } from 'node:stream'
import { type AttemptFaults, bodyWith, headersWith } from '../domain/webhook/faults/faults.ts'
import {
  type Attempted,
  type SigningContext,
  signatureHeaders,
  tokenHeader,
  withTokenHeaders,
} from './attempt-signatures.ts'

/** The HTTP request with which an attempt is sent. */
export interface AttemptRequest {
  readonly headers: Record<string, string>
  readonly body: string | Buffer | Readable
  /** Whether it carries more than one signature. */
  readonly severalSignatures?: boolean | undefined
}

/** Builds the HTTP request of one attempt, with its faults. */
export function attemptRequest(
  delivery: Attempted,
  faults: AttemptFaults,
  context: SigningContext,
): AttemptRequest {
  const plain = {
    'content-type': 'application/json',
    'user-agent': 'payment-order-emulator',
    ...delivery.plan?.headers,
  }
  const { headers: signatures, count } = signatureHeaders(delivery, faults, context)
  const signed = { ...plain, ...tokenHeader(delivery, faults, context), ...signatures }
  const headers = { ...withTokenHeaders(headersWith(faults, signed), delivery, faults, context) }
  const severalSignatures = count > 1
  const { sent, announced } = bodyWith(faults, delivery.body)
  if (faults.cut === undefined) return { headers, body: sent, severalSignatures }
  const cutHeaders = { ...headers, 'content-length': String(announced) }
  return { headers: cutHeaders, body: cutOff(sent, announced), severalSignatures }
}

/** Sends a part of the body, then breaks the connection. */
function cutOff(sent: Buffer, announced: number): Readable {
  async function* broken() {
    yield sent
    // Cut in a later turn of the event loop, so that the bytes have been sent.
    await new Promise((resolve) => setImmediate(resolve))
    throw new Error(`cut on purpose after ${sent.length} of ${announced} bytes`)
  }
  return Readable.from(broken())
}
