import type { Answer } from './answer.ts'
import { departure } from './documents.ts'
import type { Http } from './http.ts'

/** Holds an answer to the OpenAPI documents. It may depart from them only if a fault made it, and then its journal
 *  entry says so. Throws what is wrong. */
export async function expectDocumented(
  method: string,
  path: string,
  answer: Answer,
  http: Http,
): Promise<void> {
  const wrong = departure(method, path, answer)
  if (wrong === null || (await isFaulty(answer, http))) return
  throw new Error(`not as documented: ${wrong}`)
}

async function isFaulty(answer: Answer, http: Http): Promise<boolean> {
  const id = answer.headers['emulator-request-id']
  if (typeof id !== 'string') return false
  const entry = await http.send(`/_emulator/requests/${id}`, { method: 'GET' })
  const { notes } = entry.json
  return Array.isArray(notes) && notes.some((note) => String(note).startsWith('fault:'))
}
