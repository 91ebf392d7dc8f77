import * as z from 'zod'
import { webhookFault } from './fault.ts'

/** Headers of a single connection, which only HTTP clients and servers set. */
const ofTheConnection = ['connection', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade']

/** The fault that adds, changes or removes headers. */
export const headers = webhookFault({
  stored: {
    // Header names are in lower case; null removes a header.
    headers: z.record(z.string(), z.string().nullable()).optional(),
  },
  written: {
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
  },
  read: ({ headers = {} }) => {
    const inLowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    return inLowerCase.length === 0 ? {} : { headers: Object.fromEntries(inLowerCase) }
  },
  sentences: ({ headers = {} }) =>
    Object.entries(headers).map(([name, value]) =>
      value === null ? `The header ${name} is left out.` : `The header ${name} is changed.`,
    ),
  headers: (signed, { headers = {} }) =>
    Object.fromEntries(
      Object.entries({ ...signed, ...headers }).flatMap(([name, value]) =>
        value === null ? [] : [[name, value]],
      ),
    ),
})
