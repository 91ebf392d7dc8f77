import type { Context } from 'hono'
import type { Diagnosis, Operation } from '../domain/journal-entry.ts'
import { stopwatch, wallNow } from '../time/wall.ts'
import type { ServiceParts } from './call.ts'
import { maskedHeaders } from './masking.ts'
import { Refusal } from './refusal.ts'

/** What a handler finds out on its way; the journal entry is made of it. */
export interface Findings {
  readonly id: string
  operation: Operation | null
  clientId: string | null
  requestId: string | null
  /** As the journal may keep it. */
  body: string
  notes: string[]
}

export interface Answered {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Runs a handler and writes the request and its answer into the journal, whatever happens: a `Refusal` gives its
 *  own answer and diagnosis, any other error is a bug and gives 500 with the entry's id. */
export async function recorded(
  c: Context,
  parts: ServiceParts,
  handle: (findings: Findings) => Promise<Answered>,
): Promise<Response> {
  const started = stopwatch()
  const findings: Findings = {
    id: parts.journal.nextId(),
    operation: null,
    clientId: null,
    requestId: null,
    body: '',
    notes: [],
  }
  const { answer, diagnosis } = await answerOf(handle, findings, parts)
  const { clientId } = findings
  const known = clientId !== null && parts.clients.find(clientId) !== undefined
  parts.journal.record({
    ...findings,
    wallAt: wallNow(),
    at: known ? parts.scheduler.now(clientId) : wallNow(),
    method: c.req.method,
    path: c.req.url.slice(new URL(c.req.url).origin.length),
    headers: maskedHeaders(c.req.raw.headers),
    status: answer.status,
    response: answer.body,
    ms: Math.round(stopwatch() - started),
    diagnosis,
  })
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'emulator-request-id': findings.id,
    ...answer.headers,
  }
  return new Response(answer.body, { status: answer.status, headers })
}

async function answerOf(
  handle: (findings: Findings) => Promise<Answered>,
  findings: Findings,
  parts: ServiceParts,
): Promise<{ answer: Answered; diagnosis: Diagnosis | null }> {
  try {
    return { answer: await handle(findings), diagnosis: null }
  } catch (error) {
    if (error instanceof Refusal) {
      const { status, body, headers, diagnosis } = error
      return { answer: { status, body: JSON.stringify(body), headers }, diagnosis }
    }
    parts.onError(error, findings.id)
    const message = `The emulator has a bug. Its log has the details under ${findings.id}.`
    const diagnosis = { cause: 'internal', message: error instanceof Error ? error.message : String(error) }
    return { answer: { status: 500, body: JSON.stringify({ error: message }) }, diagnosis }
  }
}
