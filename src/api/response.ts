import { STATUS_CODES } from 'node:http'
import type { Context } from 'hono'
import type { FieldProblem } from '../domain/answers/error-body.ts'
import type { Generation } from '../domain/client/client.ts'
import type { Operation } from '../domain/journal/entry.ts'
import { answerOf } from '../http/request.ts'
import type { Clients } from '../lifecycle/clients.ts'

/** Facts about a request that its handler finds out, for the request log. */
export interface RequestInfo {
  readonly id: string
  operation: Operation | null
  /** The client of the call, and its generation when the call began. */
  client: { readonly clientId: string; readonly generation: Generation } | null
  requestId: string | null
  /** The body in the form that the request log may store. */
  body: string
  notes: string[]
  /** Headers of every answer to the call, such as those of rate limits. */
  headers: Readonly<Record<string, string>>
  /** Formats the errors of the call. */
  readonly errorBody: ErrorBody
}

/** Sets the client of a call in its request info, with the client's generation. */
export function foundClient(info: RequestInfo, clientId: string, clients: Clients): void {
  info.client = { clientId, generation: clients.generationOf(clientId) }
}

export interface ServiceResponse {
  /** The HTTP status of the answer; 0 without an answer. */
  readonly status: number
  readonly body: string
  /** The body for the request log, if it differs: without a secret, or cut. */
  readonly journalled?: string
  /** A faulty way of sending the answer; left out for a normal answer. */
  readonly leaves?: 'cut' | 'reset' | 'never'
  readonly headers?: Readonly<Record<string, string>>
}

/** An error whose body the API specification does not show. */
export interface ServiceError {
  readonly status: number
  readonly code: string
  readonly message: string
  /** The wrong fields of invalid input; left out for other errors. */
  readonly problems?: readonly FieldProblem[] | undefined
  /** The body without a template of the user; left out for `{"error": <string>}`. */
  readonly plain?: unknown
}

/** Writes the body of an error as JSON text. */
export type ErrorBody = (error: ServiceError) => string

/** The service's format of an error: `{"error": <string>}` (N33), unless the error has one of its own. */
export const errorAsText: ErrorBody = ({ message, plain }) => JSON.stringify(plain ?? { error: message })

/** The HTTP reason phrase of a status. */
export const reasonOf = (status: number): string => STATUS_CODES[status] ?? `Error ${status}`

/** Calls `act` once the answer has been handed to the operating system, or its connection broke. Without a
 *  connection, as in tests, `act` runs at the end of the handler's turn. */
export function onceAnswered(c: Context, act: () => void): void {
  const answer = answerOf(c)
  if (answer === null) {
    setImmediate(act)
    return
  }
  let done = false
  const once = () => {
    if (done) return
    done = true
    act()
  }
  answer.once('finish', once)
  answer.once('close', once)
  if (answer.destroyed) once()
}
