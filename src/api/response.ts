import type { Context } from 'hono'
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

/** Converts an error to the JSON of an answer. */
export type ErrorBody = (error: { readonly code: string; readonly message: string }) => unknown

/** The service's format of an error: `{"error": <string>}` (N33). */
export const errorAsText: ErrorBody = ({ message }) => ({ error: message })

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
