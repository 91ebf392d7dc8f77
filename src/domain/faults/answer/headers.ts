import * as z from 'zod'
import { answerFault } from './answer-fault.ts'

/** The headers that Node or the emulator sets, so that no fault may. */
const ownHeaders = [
  'content-length',
  'transfer-encoding',
  'trailer',
  'upgrade',
  'emulator-request-id',
  'emulator-diagnosis',
]

/** The name of a header that a user may add to answers. */
export const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'is not a valid header name')
  .refine((name) => !ownHeaders.includes(name.toLowerCase()), 'cannot be set here')

const headerValue = z
  .union([z.string(), z.number()])
  .transform(String)
  .refine((value) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value), 'must be one line of Latin-1 text')

/** A fault that adds or replaces headers of the answer. A header in `headers` overrides `retryAfter`. */
export const headers = answerFault({
  written: {
    headers: z
      .record(headerName, headerValue)
      .optional()
      .meta({ description: 'Headers to add to the answer, or to replace.' }),
    retryAfter: z
      .int()
      .min(0)
      .max(86_400)
      .optional()
      .meta({ description: 'The header Retry-After, in seconds; needs `status`.' }),
  },
  read: ({ headers = {}, retryAfter }) => ({
    headers: {
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    },
  }),
  words: ({ headers }) => Object.entries(headers).map(([name, value]) => `${name} ${value}`),
  notes: ({ status, body, headers }) =>
    status === null && body === null && Object.keys(headers).length > 0 ? ['other headers'] : [],
})
