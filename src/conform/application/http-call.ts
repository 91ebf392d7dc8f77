import type { Response } from 'undici'
import { oneLine } from '../../domain/text/issue-words.ts'
import { isUrl } from '../../domain/text/urls.ts'
import { type Call, type ConformConfig, filled } from '../config/config.ts'
import type { Opened } from './application.ts'

/** Opens a page like a browser, by a function of the configuration or over HTTP. Over HTTP, only hosts that the
 *  configuration names and this machine are allowed. */
export function browserOf(
  { browser, start, probe }: ConformConfig,
  webhookUrl: string | null,
): (url: string) => Promise<Opened> {
  if (browser !== undefined) return (url) => openedBy(browser, url)
  const named = [webhookUrl, ...[start, probe].map((call) => (typeof call === 'object' ? call.url : null))]
  const hosts = named.flatMap((url) => (url === null || !isUrl(url) ? [] : [new URL(url).hostname]))
  return async (url) => {
    const { hostname } = new URL(url)
    if (hosts.includes(hostname) || onThisMachine(hostname)) return opened(url)
    return { ...nothing, error: `the host ${hostname} does not occur in your configuration` }
  }
}

const onThisMachine = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\.|^\[::1\]$/.test(hostname)

const nothing: Opened = { status: null, scripts: false, error: null }

async function openedBy(browser: (url: string) => unknown, url: string): Promise<Opened> {
  try {
    const page = await browser(url)
    return { ...nothing, status: statusOf(page) }
  } catch (error) {
    return { ...nothing, error: reasonOf(error) }
  }
}

/** The status of a response of any class: a test environment may define its own. */
const statusOf = (page: unknown): number | null =>
  typeof page === 'object' && page !== null && 'status' in page && typeof page.status === 'number'
    ? page.status
    : null

const mostRedirects = 5
const pageTimeoutMs = 10_000

/** Follows redirects like a browser, as long as they stay at the application. */
async function opened(url: string, redirects = 0): Promise<Opened> {
  try {
    const { fetch } = await import('./fetch.ts')
    const page = await fetch(url, {
      headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
      redirect: 'manual',
      signal: AbortSignal.timeout(pageTimeoutMs),
    })
    const text = await page.text()
    const next = nextPage(page, url)
    if (next === null || redirects === mostRedirects)
      return { status: page.status, scripts: /<script\b/i.test(text), error: null }
    return opened(next, redirects + 1)
  } catch (error) {
    return { ...nothing, error: reasonOf(error) }
  }
}

function nextPage({ status, headers }: Response, from: string): string | null {
  const location = headers.get('location')
  if (status < 300 || status > 399 || location === null || !isUrl(location, from)) return null
  const next = new URL(location, from)
  return next.origin === new URL(from).origin ? next.href : null
}

/** The innermost reason of an error: `fetch failed` alone explains nothing. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message
}

/** The result of a configured HTTP call to the application. */
export interface Called {
  /** `POST http://127.0.0.1:3000/orders with {"amount":"10.00"}`. */
  readonly call: string
  /** The HTTP status of the answer; null without an answer. */
  readonly status: number | null
  readonly body: string
  /** The reason why there was no answer; null if there was one. */
  readonly error: string | null
}

const timeoutMs = 30_000

/** Makes a call of the configuration. Never throws; errors are in the result. */
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

/** Replaces the placeholders in a configured call by values. */
export function withValues<C extends Call>(call: C, values: Readonly<Record<string, string>>): C {
  return {
    ...call,
    url: filled(call.url, values, encodeURIComponent),
    headers: filled(call.headers, values),
    body: filled(call.body, values),
  }
}

/** Describes an answer: `was answered 404: {"error":"no such order"}`. */
export function answerWords({ status, body, error }: Omit<Called, 'call'>): string {
  if (status === null) return `was not answered: ${error ?? 'nothing came'}`
  return `was answered ${status}${body === '' ? ' without a body' : `: ${short(body)}`}`
}

/** Shortens a text to one line without control characters, for messages. */
export const short = (text: string): string => oneLine(text.replaceAll(/\s+/g, ' ').trim(), 200)

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`
  // If a name has several addresses, take the error of the first.
  const { cause } = error
  return reasonOf(cause instanceof AggregateError && cause.errors.length > 0 ? cause.errors[0] : error)
}
