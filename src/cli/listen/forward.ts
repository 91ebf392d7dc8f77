import { request } from 'undici'
import { causeOf } from '../control-call.ts'

const patienceMs = 10_000
/** What belongs to the connection it came over, and not to the message. */
const notPassedOn = new Set([
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'expect',
  'upgrade',
  'te',
  'trailer',
])

/** Passes a webhook on, bytes and headers as they came.
 *  @returns the status of the answer, or 502 and why there was none */
export async function forward(
  url: string,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
  waitMs = patienceMs,
): Promise<{ status: number; error: string | null }> {
  try {
    const kept = Object.entries(headers).filter(([name]) => !notPassedOn.has(name))
    const { statusCode, body: answer } = await request(url, {
      method: 'POST',
      headers: Object.fromEntries(kept),
      body,
      signal: AbortSignal.timeout(waitMs),
    })
    // Nobody reads it: the emulator wants the status alone.
    answer.dump().catch(() => {})
    return { status: statusCode, error: null }
  } catch (error) {
    return { status: 502, error: causeOf(error) }
  }
}
