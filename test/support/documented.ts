import type { Answer } from './answer.ts'
import { departure } from './documents.ts'
import type { HttpRequest } from './http.ts'

/** Sends a request to the emulator that gave the answer. */
type Send = (path: string, request: HttpRequest) => Promise<Answer>

/** Holds an answer to the OpenAPI documents. It may depart from them only if a fault made it, and then its journal
 *  entry says so. Throws what is wrong. */
export async function expectDocumented(
  method: string,
  path: string,
  answer: Answer,
  send: Send,
): Promise<void> {
  // For people, not in the documents.
  if (/^\/(_emulator(\/|\/ui\/.*)?|pay\/.*)(\?|$)/.test(path)) return
  const wrong = departure(method, path, answer)
  if (wrong === null || (await isFaulty(answer, send))) return
  throw new Error(`not as documented: ${wrong}`)
}

async function isFaulty(answer: Answer, send: Send): Promise<boolean> {
  const id = answer.headers['emulator-request-id']
  if (typeof id !== 'string') return false
  const entry = await send(`/_emulator/requests/${id}`, { method: 'GET' })
  const { notes } = entry.json
  return Array.isArray(notes) && notes.some((note) => String(note).startsWith('fault:'))
}
