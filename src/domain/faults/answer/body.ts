import * as z from 'zod'
import { shown } from '../../text/issue-words.ts'
import { inexact, isExact } from '../../text/json-text.ts'
import { answerFault } from './answer-fault.ts'

const largestBody = 1024 * 1024

/** The fault that answers with another body. */
export const body = answerFault({
  written: {
    body: z
      .union([z.string().max(largestBody), z.record(z.string(), z.json()), z.array(z.json())], {
        error: ({ input }) => `expected text, an object or a list, not ${shown(input)}`,
      })
      .refine(isExact, inexact)
      .optional()
      .meta({
        description:
          'The body of the answer: an object is sent as JSON, a text as it is. ' +
          'If left out, the service’s own error body.',
      }),
  },
  read: ({ body }) =>
    body === undefined
      ? {}
      : {
          body: typeof body === 'string' ? body : JSON.stringify(body),
          headers: { 'content-type': contentTypeOf(body) },
        },
  words: ({ body }) => (body === null ? [] : [`body ${shown(body)}`]),
  notes: ({ status, body }) => (status === null && body !== null ? ['another body'] : []),
})

function contentTypeOf(body: unknown): string {
  if (typeof body !== 'string') return 'application/json; charset=utf-8'
  const text = body.trimStart()
  if (text.startsWith('<')) return 'text/html; charset=utf-8'
  return /^[{[]/.test(text) ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8'
}
