import * as z from 'zod'
import type { AttemptFaults } from './attempt-faults.ts'
import { signedDuration } from './scenario/values.ts'

const tenMinutesMs = 600_000

/** What is between two neighbours on the wire, and not the receiver's business. */
const ofTheConnection = ['connection', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade']

/** The members that say how attempts are wrong, written the same in a scenario file and in
 *  `POST /_emulator/deliveries`; `attemptFaults` reads them. */
export const attemptFaultMembers = {
  headers: z
    .record(
      z
        .string()
        .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'must be a valid header name')
        .refine((name) => !ofTheConnection.includes(name.toLowerCase()), 'cannot be set here'),
      z
        .string()
        .max(8_192)
        .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must be a valid header value')
        .nullable(),
    )
    .optional()
    .meta({
      description:
        'Headers to add or change; null removes a header: `{ content-type: text/plain, user-agent: null }`.',
    }),
  sign: z
    .union([z.boolean(), z.enum(['wrong', 'old'])])
    .optional()
    .meta({
      description:
        'false: no signature. wrong: signed with another key. old: valid, but signed ten minutes ago.',
    }),
  timestamp: signedDuration.optional().meta({
    description: 'Shifts the timestamp; the signature stays valid: -10m is old, 10m lies in the future.',
  }),
  tamper: z.boolean().optional().meta({ description: 'Changes one byte of the body after signing.' }),
  truncate: z.int().min(0).optional().meta({
    description: 'Sends only this many bytes of the body. The signature still covers the whole body.',
  }),
  cut: z
    .union([z.int().min(1), z.literal('end')])
    .optional()
    .meta({
      description:
        'Cuts the connection after this many bytes of the body, or at its `end`, before any answer.',
    }),
}

/** The members as code reads them; nothing is said of what was left out. */
export function attemptFaults(written: {
  readonly headers?: AttemptFaults['headers']
  readonly sign?: boolean | 'wrong' | 'old' | undefined
  readonly timestamp?: number | undefined
  readonly tamper?: boolean | undefined
  readonly truncate?: number | undefined
  readonly cut?: number | 'end' | undefined
}): AttemptFaults {
  const { headers, sign, tamper, truncate, cut } = written
  const timestampMs = written.timestamp ?? (sign === 'old' ? -tenMinutesMs : undefined)
  return {
    ...(headers && Object.keys(headers).length > 0 && { headers: inLowerCase(headers) }),
    ...(sign !== undefined && { sign: signs[`${sign}`] }),
    ...(timestampMs !== undefined && { timestampMs }),
    ...(tamper !== undefined && { tamper }),
    ...(truncate !== undefined && { truncate }),
    ...(cut !== undefined && { cut }),
  }
}

const signs = { true: 'right', false: 'none', wrong: 'wrong', old: 'right' } as const

const inLowerCase = (headers: NonNullable<AttemptFaults['headers']>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
