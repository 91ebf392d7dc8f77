import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Context } from 'hono'
import { EmulatorError } from '../domain/text/errors.ts'
import { shown } from '../domain/text/issue-words.ts'
import { type Problem, problemWords } from '../domain/text/problems.ts'

/** The parts of a request's URL, cut out of its text: the host comes from a header, and `URL` does not accept every
 *  host. */
export interface UrlParts {
  /** The scheme and host, such as `http://127.0.0.1:4600`. */
  readonly origin: string
  /** The path of the URL with its query. */
  readonly path: string
}

export function urlParts(url: string): UrlParts {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  return start === -1 ? { origin: url, path: '/' } : { origin: url.slice(0, start), path: url.slice(start) }
}

/** The query text of a URL or path, without `?`. */
export function queryTextOf(url: string): string {
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark + 1)
}

export const queryOf = (url: string): URLSearchParams => new URLSearchParams(queryTextOf(url))

/** A query parameter with invalid percent-encoding, which a lenient parser would read with U+FFFD. */
export interface Undecodable extends Problem {
  readonly cause: 'query.percent' | 'query.not-utf-8'
}

/** Finds parameters with invalid percent-encoding in a query or form, up to a limit. */
export function undecodable(query: string): Undecodable[] {
  const problems: Undecodable[] = []
  if (!query.includes('%')) return problems
  for (const part of query.split('&')) {
    const problem = problemWithParameter(part)
    if (problem !== null) problems.push(problem)
    if (problems.length === undecodableAtMost) break
  }
  return problems
}

/** Maximum number of undecodable parameters that an error lists. */
const undecodableAtMost = 20

function problemWithParameter(part: string): Undecodable | null {
  const [name = ''] = part.split('=', 1)
  const inName = problemWithEscapes(name)
  if (inName !== null) return { ...inName, path: ['query'], message: `a name in it ${inName.message}` }
  const inValue = problemWithEscapes(part.slice(name.length))
  return inValue === null ? null : { ...inValue, path: [decodeURIComponent(name)] }
}

function problemWithEscapes(text: string): Omit<Undecodable, 'path'> | null {
  const [stray] = /%(?![0-9a-f]{2}).*/is.exec(text) ?? []
  if (stray !== undefined) {
    const message = `has a % without two hexadecimal digits after it, at ${shown(stray)}; write %25 for a percent sign`
    return { cause: 'query.percent', message }
  }
  const escaped = text.match(/(?:%[0-9a-f]{2})+/gi) ?? []
  const wrong = escaped.find((run) => !isUtf8(Buffer.from(run.replaceAll('%', ''), 'hex')))
  if (wrong === undefined) return null
  const message = `is not valid UTF-8, at ${shown(wrong)}; percent-encode the UTF-8 bytes, such as %C3%A9 for é`
  return { cause: 'query.not-utf-8', message }
}

/** Rejects a URL whose path or query cannot be decoded.
 *  @throws invalid_input */
export function requireDecodable(url: string): void {
  const { path } = urlParts(url)
  if (!path.includes('%')) return
  const inPath = problemWithEscapes(path.split('?', 1)[0] ?? '')
  const problems = inPath === null ? [] : [{ ...inPath, path: ['path'] }]
  refuseUndecodable([...problems, ...undecodable(queryTextOf(path))])
}

/** Rejects a request that has undecodable parameters.
 *  @throws invalid_input if there is any problem */
export function refuseUndecodable(problems: readonly Undecodable[]): void {
  if (problems.length > 0) throw new EmulatorError('invalid_input', { problems: problemWords(problems) })
}

/** Lists the parameters that a query has more than once. */
export function doubled(query: URLSearchParams): string[] {
  const seen = new Set<string>()
  const again = new Set<string>()
  for (const name of query.keys()) (seen.has(name) ? again : seen).add(name)
  return [...again]
}

/** Formats parameters as a query with `?`; empty if none has a value. */
export function queryText(parameters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value)
  return query.size === 0 ? '' : `?${query}`
}

export interface CallerConnection {
  readonly socket: Pick<Socket, 'resetAndDestroy' | 'destroy' | 'destroySoon'>
  readonly answer: Pick<
    ServerResponse,
    'writeHead' | 'write' | 'end' | 'destroy' | 'writableLength' | 'destroyed' | 'once'
  >
}

/** The connection of a request; null if a test calls the app without a server. */
export function connectionOf(c: Context): CallerConnection | null {
  const { incoming, outgoing } = c.env ?? {}
  return isAnswer(outgoing) && isRequest(incoming) ? { socket: incoming.socket, answer: outgoing } : null
}

/** The outgoing answer of a request, to observe when it was sent; null without a connection. */
export function answerOf(c: Context): Pick<ServerResponse, 'destroyed' | 'once'> | null {
  const outgoing: unknown = c.env?.outgoing
  return isAnswer(outgoing) ? outgoing : null
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isAnswer = (value: unknown): value is ServerResponse =>
  isObject(value) && 'once' in value && 'destroyed' in value

const isRequest = (value: unknown): value is { socket: Socket } => isObject(value) && 'socket' in value

/** Returns a request's header names and values in alternation, exactly as received if there is a connection. */
export function rawHeadersOf(c: Context): readonly string[] {
  const list: unknown = c.env?.incoming?.rawHeaders
  return Array.isArray(list) ? list : [...c.req.raw.headers].flat()
}

const refused = new WeakSet<object>()

/** Marks a request as refused and recorded while its body was still arriving. */
export function refusedOnItsWay(incoming: IncomingMessage): void {
  refused.add(incoming)
}

/** Whether a request was refused while its body was still arriving. To a reader of the body that looks like a caller
 *  that went away. */
export function wasRefused(c: Context): boolean {
  const incoming: unknown = c.env?.incoming
  return isObject(incoming) && refused.has(incoming)
}
