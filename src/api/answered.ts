import type { Context } from 'hono'
import type { Generation } from '../domain/client/client.ts'
import type { Operation } from '../domain/journal/entry.ts'
import { answerOf } from '../http/request.ts'
import type { Clients } from '../lifecycle/clients.ts'

/** The facts that a handler finds out about a request, for its entry in the request log. */
export interface Findings {
  readonly id: string
  operation: Operation | null
  /** The client of the call and its generation; see `foundClient`. */
  client: { readonly clientId: string; readonly generation: Generation } | null
  requestId: string | null
  /** The body in the form that the request log may store. */
  body: string
  notes: string[]
}

/** Records the client of a call. */
export function foundClient(findings: Findings, clientId: string, clients: Clients): void {
  findings.client = { clientId, generation: clients.generationOf(clientId) }
}

/** The answer to a request. */
export interface Answered {
  /** 0 if there is no answer. */
  readonly status: number
  readonly body: string
  /** The text for the request log instead: for a body with a secret, or a cut one. */
  readonly journalled?: string
  /** A faulty way of sending; normal if left out. */
  readonly leaves?: 'cut' | 'reset' | 'never'
  readonly headers?: Readonly<Record<string, string>>
}

/** Converts an error to the text of a body. */
export type ErrorBody = (error: { readonly code: string; readonly message: string }) => unknown

/** The service's format of an error: `{"error": <string>}` (N33). */
export const errorAsText: ErrorBody = ({ message }) => ({ error: message })

/** Calls `act` once the answer has been handed to the system, or its connection broke. Without a connection (a
 *  request handed in by a test), that is at the end of the handler's turn. */
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
