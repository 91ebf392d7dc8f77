import { fillTemplate, jsonTemplate, type Placeholders } from '../text/template.ts'
import type { EpochMs } from '../text/time.ts'

/** The values that a template for errors can name. */
export const errorPlaceholders = {
  values: {
    code: 'text',
    message: 'text',
    status: 'number',
    reason: 'text',
    requestId: 'text',
    errorId: 'text',
    method: 'text',
    path: 'text',
    time: 'time',
  },
  lists: { problems: { field: 'text', reason: 'text' } },
} as const satisfies Placeholders

/** Schema of a user's error body (N80). */
export const errorTemplate = jsonTemplate(errorPlaceholders)

/** A field of a request that is wrong, and why. */
export interface FieldProblem {
  readonly field: string
  readonly reason: string
}

/** An error of the service whose format the API specification does not show. */
export interface OpenError {
  readonly status: number
  /** The HTTP reason phrase of the status, such as `Bad Request`. */
  readonly reason: string
  /** The setting's word or number for the status; left out to derive it from the reason phrase. */
  readonly code?: string | number | undefined
  readonly message: string
  readonly problems?: readonly FieldProblem[] | undefined
  /** The requestId of the call, if it is known. */
  readonly requestId: string | null
  /** The id of the request log's entry. */
  readonly errorId: string
  readonly method: string
  readonly path: string
  /** The time on the client's clock; without a client, on the wall clock. */
  readonly at: EpochMs
  readonly offset: string
}

/** Fills a template for errors.
 *  @returns the body as JSON text */
export function errorBodyOf(template: unknown, error: OpenError): string {
  const { at, offset, requestId, problems = [], reason, code = codeOf(reason), ...values } = error
  const filled = fillTemplate(template, {
    ...values,
    reason,
    code,
    problems: problems.map((problem) => ({ ...problem })),
    requestId: requestId ?? undefined,
    time: { time: at, offset },
  })
  return filled ?? '{}'
}

/** Derives a code from an HTTP reason phrase: `too_many_requests`. */
export const codeOf = (reason: string): string => reason.toLowerCase().replaceAll(/\W+/g, '_')
