import { isUtf8 } from 'node:buffer'
import { EmulatorError } from '../domain/errors.ts'
import { shown } from '../domain/issue-words.ts'
import { type Problem, problemWords } from '../domain/problems.ts'
import { queryTextOf, urlParts } from './url.ts'

/** The parameters of a query by their names, if each is there once and stands as it is, without escapes; else null, and
 *  `URLSearchParams` has to say. That takes as long as all else about the query of a lookup. */
export function plainParameters(query: string): Record<string, string> | null {
  if (!plain.test(query)) return null
  const parameters: Record<string, string> = {}
  for (const part of query.split('&')) {
    if (part === '') continue
    const mark = part.indexOf('=')
    const name = mark === -1 ? part : part.slice(0, mark)
    if (name === '__proto__' || Object.hasOwn(parameters, name)) return null
    parameters[name] = mark === -1 ? '' : part.slice(mark + 1)
  }
  return parameters
}

/** What `URLSearchParams` would take for itself: no escapes, and no `?`, which it leaves out at the beginning. */
const plain = /^[!-$&-*,->@-~]*$/

/** A parameter that cannot be decoded, and would be read with U+FFFD in it. */
export interface Undecodable extends Problem {
  readonly cause: 'query.percent' | 'query.not-utf-8'
}

/** The parameters of a query, or of a form, that cannot be decoded; of many the first. */
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

/** A form of a megabyte has room for half a million, which nobody would read. */
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
    const message = `has a % that begins no escape, at ${shown(stray)}; write %25 for a percent sign`
    return { cause: 'query.percent', message }
  }
  const escaped = text.match(/(?:%[0-9a-f]{2})+/gi) ?? []
  const wrong = escaped.find((run) => !isUtf8(Buffer.from(run.replaceAll('%', ''), 'hex')))
  if (wrong === undefined) return null
  const message = `is not valid UTF-8, at ${shown(wrong)}; percent-encode the UTF-8 bytes, such as %C3%A9 for é`
  return { cause: 'query.not-utf-8', message }
}

/** Refuses a URL whose path or query cannot be decoded. @throws invalid_input */
export function requireDecodable(url: string): void {
  const { path } = urlParts(url)
  if (!path.includes('%')) return
  const inPath = problemWithEscapes(path.split('?', 1)[0] ?? '')
  const problems = inPath === null ? [] : [{ ...inPath, path: ['path'] }]
  refuseUndecodable([...problems, ...undecodable(queryTextOf(path))])
}

/** @throws invalid_input if there is any */
export function refuseUndecodable(problems: readonly Undecodable[]): void {
  if (problems.length > 0) throw new EmulatorError('invalid_input', { problems: problemWords(problems) })
}

/** The parameters that a query has more than once. */
export function doubled(query: URLSearchParams): string[] {
  const seen = new Set<string>()
  const again = new Set<string>()
  for (const name of query.keys()) (seen.has(name) ? again : seen).add(name)
  return [...again]
}

/** Parameters as they stand behind a path, with the mark; nothing for those that have no value. */
export function queryText(parameters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value)
  return query.size === 0 ? '' : `?${query}`
}
