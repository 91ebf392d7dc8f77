import * as z from 'zod'
import { webhookFault } from './fault.ts'

/** The fault that changes one byte of the body after signing. */
export const tamper = webhookFault({
  stored: { tamper: z.boolean().optional() },
  written: {
    tamper: z.boolean().optional().meta({ description: 'Changes one byte of the body after signing.' }),
  },
  read: ({ tamper }) => ({ tamper }),
  sentences: ({ tamper }) => (tamper ? ['One byte of the body was changed after signing.'] : []),
  body: (body, { tamper }) => (tamper ? { ...body, sent: tampered(body.sent) } : body),
})

/** Changes the last letter or digit into a neighbour, so that JSON usually stays JSON but says something else. */
function tampered(bytes: Buffer): Buffer {
  const found = bytes.findLastIndex((byte) => /[a-z\d]/i.test(String.fromCharCode(byte)))
  const index = found === -1 ? bytes.length - 1 : found
  const byte = bytes[index]
  if (byte === undefined) return bytes
  const isLastOfItsKind = /[9zZ]/.test(String.fromCharCode(byte))
  return Buffer.from(bytes.with(index, isLastOfItsKind ? byte - 1 : byte + 1))
}
