import * as z from 'zod'
import { causeTable } from '../../domain/diagnosis/causes.ts'
import { operations } from '../../domain/journal/entry.ts'
import { didYouMean, issueWords, orList, shown, ticked } from '../../domain/text/issue-words.ts'
import { mostMembers, type Wanted, type Where } from '../../domain/text/where.ts'
import { shownAs, type WatchedKind, watchedKinds } from './observation.ts'

/** Schema of a field by its dotted name; null if the field cannot exist, undefined if any value is possible. */
function schemaAt(schema: unknown, [name, ...rest]: readonly string[]): unknown {
  const bare = unwrapped(schema)
  if (name === undefined) return bare
  if (bare instanceof z.ZodObject)
    return Object.hasOwn(bare.shape, name) ? schemaAt(bare.shape[name], rest) : null
  if (!(bare instanceof z.ZodArray)) return undefined
  if (name === 'length' && rest.length === 0) return z.int()
  return /^\d+$/.test(name) ? schemaAt(bare.element, rest) : null
}

/** Explains why a field can never have the wanted value; undefined if it can.
 *  @param words possible values, if the schema does not list them */
function impossible(schema: unknown, wanted: Wanted, words?: readonly string[]): string | undefined {
  if (wanted === null || wanted === '*') return undefined
  const bare = unwrapped(schema)
  const closed = words ?? (bare instanceof z.ZodEnum ? bare.options.map(String) : null)
  if (closed !== null) return closed.some((word) => isLike(wanted, word)) ? undefined : never(wanted, closed)
  if (bare instanceof z.ZodBoolean)
    return ['true', 'false'].some((word) => isLike(wanted, word))
      ? undefined
      : `is true or false, not ${shown(wanted)}`
  if (bare instanceof z.ZodNumber)
    return typeof wanted === 'number' || numeric.test(String(wanted))
      ? undefined
      : `is a number, not ${shown(wanted)}`
  if (bare instanceof z.ZodString && typeof wanted !== 'string')
    return `is a text, not ${shown(wanted)}; put it in quotes`
  return undefined
}

/** A decimal number, which may end in `*`. */
const numeric = /^-?\d+(\.\d+)?\*?$/

/** Whether a wanted value matches a word, by the rules of `fitsValue`. */
function isLike(wanted: string | number | boolean, word: string): boolean {
  const text = String(wanted)
  return text.endsWith('*') ? word.startsWith(text.slice(0, -1)) : text === word
}

function never(wanted: Wanted, words: readonly string[]): string {
  const among = words.length <= 12 ? `; use ${orList(words)}` : ''
  return `is never ${shown(wanted)}${didYouMean(String(wanted), words) || among}`
}

interface MemberNames {
  /** The names of all fields, for objects whose schema lists them. */
  readonly closed: ReadonlySet<string>
  /** The fields below which any name is possible: lists, metadata, headers, JSON bodies. */
  readonly open: readonly string[]
  /** Objects and lists, each with an example of a field inside. */
  readonly compound: ReadonlyMap<string, string>
  /** The fields of a list's first item, such as `attempts.0.outcome`. */
  readonly listed: readonly string[]
}

/** Reads the field names from a schema.
 *  @param texts text fields that may contain JSON */
function memberNames(schema: z.ZodObject, texts: readonly string[] = []): MemberNames {
  const closed = new Set<string>()
  const open = [...texts]
  const compound = new Map<string, string>()
  const listed: string[] = []
  const walk = (within: z.ZodObject, prefix: string) => {
    for (const [key, member] of Object.entries(within.shape)) {
      const name = `${prefix}${key}`
      const bare = unwrapped(member)
      closed.add(name)
      if (bare instanceof z.ZodArray) compound.set(name, `${name}.length`)
      if (bare instanceof z.ZodArray && bare.element instanceof z.ZodObject)
        listed.push(...Object.keys(bare.element.shape).map((each) => `${name}.0.${each}`))
      if (bare instanceof z.ZodRecord) compound.set(name, `${name}.<name>`)
      if (bare instanceof z.ZodObject) {
        compound.set(name, `${name}.${Object.keys(bare.shape)[0]}`)
        walk(bare, `${name}.`)
      } else if (isOpen(bare)) open.push(name)
    }
  }
  walk(schema, '')
  return { closed, open, compound, listed }
}

/** The schema without its optional and nullable wrappers. */
function unwrapped(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? unwrapped(schema.unwrap())
    : schema
}

const isOpen = (schema: unknown): boolean =>
  schema instanceof z.ZodArray || schema instanceof z.ZodRecord || schema instanceof z.ZodUnknown

interface WhereProblem {
  readonly member: string
  readonly message: string
}

/** Fields that a `where` may name: every field that GET shows. */
const names: Readonly<Record<WatchedKind, MemberNames>> = {
  order: memberNames(shownAs.order),
  delivery: memberNames(shownAs.delivery, ['bodyText']),
  request: memberNames(shownAs.request, ['body', 'response']),
}

/** The possible values of fields whose schemas do not list them. */
const words: Readonly<Record<WatchedKind, Readonly<Record<string, readonly string[]>>>> = {
  order: {},
  delivery: {},
  request: { operation: ['create-order', ...operations], 'diagnosis.cause': Object.keys(causeTable) },
}

/** The filters of list calls that are named differently from the field. */
const listWords: Readonly<Record<WatchedKind, Readonly<Record<string, string>>>> = {
  order: { status: 'orderStatus' },
  delivery: { outcome: 'attempts.0.outcome' },
  request: {},
}

/** Finds problems in a `where`: unknown fields with a suggestion, fields that are objects or lists, and impossible
 *  values. */
export function whereProblems(kind: WatchedKind, where: Where): WhereProblem[] {
  // A `where` with more fields is rejected elsewhere.
  const entries = Object.entries(where).slice(0, mostMembers)
  return entries.flatMap(([member, wanted]) => {
    const message = nameProblem(kind, member, wanted) ?? valueProblem(kind, member, wanted)
    return message === undefined ? [] : [{ member, message }]
  })
}

/** Rejects list filters with values that no item can have. */
export const possible =
  (kind: WatchedKind) =>
  (filters: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void => {
    for (const [name, wanted] of Object.entries(filters)) {
      const member = listWords[kind][name] ?? name
      const message =
        isText(wanted) && hasMember(kind, member) ? valueProblem(kind, member, wanted) : undefined
      if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message })
    }
  }

const isText = (value: unknown): value is string => typeof value === 'string'

const hasMember = (kind: WatchedKind, member: string): boolean =>
  schemaAt(shownAs[kind], member.split('.')) !== null

/** Error message for unknown keys beside a `where`; item fields belong inside the `where`. */
export const strayMembers: z.core.$ZodErrorMap = (issue) => {
  if (issue.code !== 'unrecognized_keys') return undefined
  const help = { left: 20 }
  return issue.keys
    .map((key) =>
      isMember(key)
        ? `unknown key ${ticked(key)}; put it into \`where\``
        : issueWords({ ...issue, keys: [key] }, help),
    )
    .join('\n')
}

const isMember = (name: string): boolean =>
  watchedKinds.some((kind) => names[kind].closed.has(name.split('.', 1)[0] ?? ''))

function nameProblem(kind: WatchedKind, member: string, wanted: Wanted): string | undefined {
  const { closed, open, compound } = names[kind]
  const example = compound.get(member)
  if (example !== undefined && wanted !== null && wanted !== '*')
    return `has fields of its own; name one, like \`${example}\``
  const isOpen = open.some((head) => member.startsWith(`${head}.`))
  if (closed.has(member) || (isOpen && schemaAt(shownAs[kind], member.split('.')) !== null)) return undefined
  const things = kind === 'order' ? 'an order' : `a ${kind}`
  return `is not a field of ${things}${meant(kind, member)}`
}

/** Common wrong names of fields, with the right ones. */
const usualNames = new Map([
  ['status', 'orderStatus'],
  ['id', 'orderId'],
  ['amount', 'fiatAmount'],
])

/** Suggests a field name: a common synonym, a nested field with this name, a similar spelling, or a field of the
 *  body. */
function meant(kind: WatchedKind, member: string): string {
  const { closed, open, listed } = names[kind]
  const last = member.split('.').at(-1) ?? ''
  const usual = kind === 'order' ? usualNames.get(member) : undefined
  const further = usual ?? [...closed, ...listed].find((name) => name.endsWith(`.${last}`))
  if (further !== undefined) return `; did you mean \`${further}\`?`
  const inBody = open.includes('body') ? `; for a field in the body, write \`body.${member}\`` : ''
  return didYouMean(member, closed) || inBody
}

function valueProblem(kind: WatchedKind, member: string, wanted: Wanted): string | undefined {
  const schema = schemaAt(shownAs[kind], member.split('.'))
  return impossible(schema, wanted, words[kind][member])
}
