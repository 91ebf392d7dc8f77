import type { Context } from 'hono'
import type { Generation } from '../domain/client/client.ts'
import type { Operation } from '../domain/journal/entry.ts'
import { answerOf } from '../http/request.ts'
import type { Clients } from '../lifecycle/clients.ts'

/** What a handler finds out on its way; the journal entry is made of it. */
export interface Findings {
  readonly id: string
  operation: Operation | null
  /** Whose call it is, and of which world; see `foundClient`. */
  client: { readonly clientId: string; readonly generation: Generation } | null
  requestId: string | null
  /** As the journal may keep it. */
  body: string
  notes: string[]
}

/** Notes whose call it is. */
export function foundClient(findings: Findings, clientId: string, clients: Clients): void {
  findings.client = { clientId, generation: clients.generationOf(clientId) }
}

/** The answer to a request. */
export interface Answered {
  /** 0 if nothing is answered. */
  readonly status: number
  readonly body: string
  /** What the journal keeps instead: of a body that has a secret in it, or of one that is cut. */
  readonly journalled?: string
  /** As a fault wants it; as answers do if left out. */
  readonly leaves?: 'cut' | 'reset' | 'never'
  readonly headers?: Readonly<Record<string, string>>
}

/** How an error is worded as a body. */
export type ErrorBody = (error: { readonly code: string; readonly message: string }) => unknown

/** How the service does it: `{"error": <string>}` (N33). */
export const errorAsText: ErrorBody = ({ message }) => ({ error: message })

/** Calls `act` once the answer of this request has been handed to the system, or its connection has died. Without
 *  a connection (a request handed in by a test) that is when the handler's turn is over. */
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
