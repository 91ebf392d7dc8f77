import { Pool } from 'undici'
import { lenientConnector } from '../../webhooks/lenient-answers.ts'
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
  const { origin, pathname, search } = new URL(url)
  const pool = new Pool(origin, { connect: lenientConnector() })
  try {
    const kept = Object.entries(headers).filter(([name]) => !notPassedOn.has(name))
    const { statusCode, body: answer } = await pool.request({
      path: `${pathname}${search}`,
      method: 'POST',
      headers: Object.fromEntries(kept),
      body,
      signal: AbortSignal.timeout(waitMs),
    })
    // Nobody reads it: the emulator wants the status alone.
    void answer
      .dump()
      .catch(() => {})
      .then(() => pool.destroy())
    return { status: statusCode, error: null }
  } catch (error) {
    void pool.destroy()
    return { status: 502, error: causeOf(error) }
  }
}
