import type { z } from 'zod'
import { causeTable } from '../../domain/diagnosis/causes.ts'
import { issueWords, ticked } from '../../domain/issue-words.ts'
import { operations } from '../../domain/journal-entry.ts'
import { didYouMean } from '../../domain/nearest.ts'
import { mostMembers, type Wanted, type Where } from '../../domain/where.ts'
import { shownAs, type WatchedKind, watchedKinds } from './kinds.ts'
import { type MemberNames, memberNames } from './member-names.ts'
import { impossible, schemaAt } from './member-values.ts'

/** Something wrong in a `where`. */
interface WhereProblem {
  readonly member: string
  readonly message: string
}

/** The members that a `where` may name are those that a GET of the thing shows. */
const names: Readonly<Record<WatchedKind, MemberNames>> = {
  order: memberNames(shownAs.order),
  delivery: memberNames(shownAs.delivery, ['bodyText']),
  request: memberNames(shownAs.request, ['body', 'response']),
}

/** Sets of words that the schemas do not tell. */
const words: Readonly<Record<WatchedKind, Readonly<Record<string, readonly string[]>>>> = {
  order: {},
  delivery: {},
  request: { operation: ['create-order', ...operations], 'diagnosis.cause': Object.keys(causeTable) },
}

/** What lists ask for under a name of their own. */
const listWords: Readonly<Record<WatchedKind, Readonly<Record<string, string>>>> = {
  order: { status: 'orderStatus' },
  delivery: { outcome: 'attempts.0.outcome' },
  request: {},
}

/** What is wrong with a `where`: names that things of this kind do not have, with what was probably meant; those of
 *  objects and lists, which are like no value; and values that a member never has. */
export function whereProblems(kind: WatchedKind, where: Where): WhereProblem[] {
  // One with more is refused for that.
  const entries = Object.entries(where).slice(0, mostMembers)
  return entries.flatMap(([member, wanted]) => {
    const message = nameProblem(kind, member, wanted) ?? valueProblem(kind, member, wanted)
    return message === undefined ? [] : [{ member, message }]
  })
}

/** Refuses filters of a list with values that none of its things has. */
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

/** Words for unknown keys beside a `where`, for those that belong into it. */
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

/** What people call members by. */
const usualNames = new Map([
  ['status', 'orderStatus'],
  ['id', 'orderId'],
  ['amount', 'fiatAmount'],
])

/** The name that was probably meant: the usual one, one further in, one that is spelled like it, or one of the body. */
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
