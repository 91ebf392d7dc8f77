import { oneLine } from '../../domain/one-line.ts'
import type { Call } from '../config/config.ts'
import { filled } from '../config/placeholders.ts'
import { reasonOf } from './browser.ts'

/** What came of a call of the application. */
export interface Called {
  /** `POST http://127.0.0.1:3000/orders with {"amount":"10.00"}`. */
  readonly call: string
  /** HTTP status; null if there was no answer. */
  readonly status: number | null
  readonly body: string
  /** Why there was no answer. */
  readonly error: string | null
}

const timeoutMs = 30_000

/** Makes a call that the configuration describes. Never throws: what went wrong is told. */
export async function made(
  { method, url, headers, body }: Call,
  usualMethod: 'GET' | 'POST' = 'POST',
): Promise<Called> {
  const used = method ?? usualMethod
  const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const call = `${used} ${url}${sent === undefined ? '' : ` with ${short(sent)}`}`
  try {
    const { fetch } = await import('./fetch.ts')
    const response = await fetch(url, {
      method: used,
      headers: { ...(typeof body === 'object' && { 'content-type': 'application/json' }), ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      ...(sent !== undefined && { body: sent }),
    })
    return { call, status: response.status, body: await response.text(), error: null }
  } catch (error) {
    return { call, status: null, body: '', error: wordsOf(error) }
  }
}

/** A call whose placeholders have values. */
export function withValues<C extends Call>(call: C, values: Readonly<Record<string, string>>): C {
  return {
    ...call,
    url: filled(call.url, values, encodeURIComponent),
    headers: filled(call.headers, values),
    body: filled(call.body, values),
  }
}

/** What came back, in words: `was answered 404: {"error":"no such order"}`. */
export function answerWords({ status, body, error }: Omit<Called, 'call'>): string {
  if (status === null) return `was not answered: ${error ?? 'nothing came'}`
  return `was answered ${status}${body === '' ? ' without a body' : `: ${short(body)}`}`
}

/** So much of a text as fits into a message, on one line, with nothing in it that steers a terminal. */
export const short = (text: string): string => oneLine(text.replaceAll(/\s+/g, ' ').trim(), 200)

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`
  // Of several addresses of one name, the first tells it.
  const { cause } = error
  return reasonOf(cause instanceof AggregateError && cause.errors.length > 0 ? cause.errors[0] : error)
}
