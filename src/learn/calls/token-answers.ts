import { canonical } from '../elimination/eliminate.ts'
import type { TokenCall } from '../evidence/evidence.ts'
import { lifetimeField } from './token-lifetime.ts'

/** An answer of the token route, and what is known about its request. */
export interface TokenAnswer {
  readonly call: TokenCall
  readonly clientId: string | null
  readonly scope: string | undefined
}

interface Part {
  readonly value: unknown
  readonly answer: TokenAnswer
}

type Leaf = (parts: readonly Part[], path: readonly string[]) => unknown

/** Finds the template of some answers, leaf by leaf; undefined if they differ in a way that nothing explains. */
function invert(parts: readonly Part[], path: readonly string[], leaf: Leaf): unknown {
  const [first] = parts
  if (first === undefined) return undefined
  if (!parts.every(({ value }) => isMapping(value))) return leaf(parts, path)
  const names = Object.keys(Object(first.value))
  const isSame = parts.every(
    ({ value }) => canonical(Object.keys(Object(value)).toSorted()) === canonical(names.toSorted()),
  )
  if (!isSame) return undefined
  const members = names.map((name) => {
    const inner = parts.map(({ value, answer }) => ({ value: memberOf(value, name), answer }))
    return [name, invert(inner, [...path, name], leaf)] as const
  })
  return members.some(([, each]) => each === undefined) ? undefined : Object.fromEntries(members)
}

const isMapping = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const memberOf = (value: unknown, name: string): unknown =>
  isMapping(value) ? Object.entries(Object(value)).find(([each]) => each === name)?.[1] : undefined

const constant = (parts: readonly Part[]): unknown =>
  new Set(parts.map(({ value }) => canonical(value))).size === 1 ? parts[0]?.value : undefined

/** The template of answers with a token; undefined if none explains them. */
export function invertAnswers(answers: readonly TokenAnswer[]): unknown {
  return invert(partsOf(answers), [], (parts, path) => {
    const every = (test: (part: Part) => boolean) => parts.every(test)
    if (every(({ value, answer }) => value === answer.call.token)) return '${accessToken}'
    const kinds = new Set(parts.map(({ value }) => lifetimeField({ path, value })))
    const [kind] = kinds
    if (kinds.size === 1 && kind === 'seconds')
      return every(({ value }) => typeof value === 'number') ? '${expiresIn}' : '${expiresIn:text}'
    if (kinds.size === 1 && kind === 'end') return timeIn(parts, 'expiresAt')
    const issued = every(({ value, answer }) => isNear(value, answer.call.at))
      ? timeIn(parts, 'issuedAt')
      : undefined
    if (issued !== undefined) return issued
    if (every(({ value, answer }) => answer.clientId !== null && value === answer.clientId))
      return '${clientId}'
    if (every(({ value, answer }) => answer.scope !== undefined && value === answer.scope)) return '${scope}'
    return constant(parts)
  })
}

const codes: readonly unknown[] = ['invalid_client', 'invalid_request', 'unsupported_grant_type']

/** The template of refused token requests; undefined if none explains them. */
export function invertTokenErrors(answers: readonly TokenAnswer[]): unknown {
  return invert(partsOf(answers), [], (parts) => {
    if (parts.every(({ value }) => codes.includes(value))) return '${code}'
    if (parts.every(({ value, answer }) => value === answer.call.status)) return '${status}'
    if (parts.every(({ value, answer }) => isNear(value, answer.call.at))) return timeIn(parts, 'time')
    if (parts.every(({ value }) => typeof value === 'string' && /\s/.test(value))) return '${message}'
    return constant(parts)
  })
}

const partsOf = (answers: readonly TokenAnswer[]): Part[] =>
  answers.map((answer) => ({ value: answer.call.output, answer }))

const forms: readonly (readonly [format: string, form: RegExp])[] = [
  ['', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/],
  [':isoSeconds', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/],
  [':offset', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/],
  [':offsetSeconds', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/],
]

/** The placeholder of a time, in the form that all answers have. */
function timeIn(parts: readonly Part[], name: string): string | undefined {
  const found = forms.find(([, form]) =>
    parts.every(({ value }) => typeof value === 'string' && form.test(value)),
  )
  if (found !== undefined) return `\${${name}${found[0]}}`
  if (!parts.every(({ value }) => typeof value === 'number')) return undefined
  return parts.every(({ value }) => Number(value) > 1e11) ? `\${${name}:milliseconds}` : `\${${name}:seconds}`
}

/** Whether a value is a time near another one: within an hour, because clocks differ. */
function isNear(value: unknown, at: number): boolean {
  const ms =
    typeof value === 'string' && forms.some(([, form]) => form.test(value))
      ? Date.parse(value)
      : typeof value === 'number'
        ? value * (value > 1e11 ? 1 : 1000)
        : Number.NaN
  return Math.abs(ms - at) < 3_600_000
}
