import type { z } from 'zod'
import { issueWording } from './issue-words.ts'

/** A problem in a value from outside: its path, and a message for people. */
export interface Problem {
  /** The path to the problem: keys and indexes from the outside in. */
  readonly path: readonly (string | number)[]
  readonly message: string
  /** `key` if the key at the end of the path is wrong, not its value. */
  readonly at?: 'key'
}

/** The result of a check: a valid value, or all problems. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: Problem[] }

/** Validates a value from outside, with problems worded for people. */
export function check<T extends z.ZodType>(schema: T, value: unknown): Checked<z.output<T>> {
  const result = schema.safeParse(value, { error: issueWording() })
  return result.success ? { ok: true, value: result.data } : { ok: false, problems: problemsIn(result.error) }
}

/** Converts a zod error to problems, one for each wrong key or value. Of a union only the nearest branch is
 *  reported. */
export function problemsIn(error: z.core.$ZodError): Problem[] {
  return flatten(error.issues)
}

/** Describes the problems of a request in one line. If there are very many, it shows the first ones and the number
 *  of the others. */
export function problemWords(problems: readonly Problem[]): string {
  const shown = problems.slice(0, shownAtMost).map(({ path, message }) => {
    const where = path.join('.')
    const place = where.length > whereAtMost ? `${where.slice(0, whereAtMost)}…` : where
    return path.length === 0 ? message : `${place}: ${withoutName(message, where)}`
  })
  const more = problems.length - shown.length
  return [...shown, ...(more > 0 ? [`and ${more} more problems`] : [])].join('; ')
}

/** Removes a field's name from the beginning of a message, if the path before the message ends with that name. */
function withoutName(message: string, where: string): string {
  const [whole, name = ''] = /^`([^`]+)`:? /.exec(message) ?? []
  return whole !== undefined && `.${where}`.endsWith(`.${name}`) ? message.slice(whole.length) : message
}

const shownAtMost = 20
const whereAtMost = 200

function flatten(issues: readonly z.core.$ZodIssue[]): Problem[] {
  return issues.flatMap((issue) => within(issue.path, problemsOfIssue(issue)))
}

function problemsOfIssue(issue: z.core.$ZodIssue): Problem[] {
  switch (issue.code) {
    case 'unrecognized_keys': {
      const lines = issue.message.split('\n')
      return issue.keys.map((key, index) => ({
        path: [key],
        message: lines[index] ?? lines.join(),
        at: 'key',
      }))
    }
    case 'invalid_key':
      return [{ path: [], message: issue.issues[0]?.message ?? issue.message, at: 'key' }]
    case 'invalid_union': {
      const branch = nearestBranch(issue.errors)
      return branch === undefined ? [{ path: [], message: issue.message }] : flatten(branch)
    }
    default:
      return [{ path: [], message: issue.message }]
  }
}

function within(path: readonly PropertyKey[], problems: readonly Problem[]): Problem[] {
  const outer = path.filter((key) => typeof key !== 'symbol')
  return problems.map((problem) => ({ ...problem, path: [...outer, ...problem.path] }))
}

type Branch = readonly z.core.$ZodIssue[]

/** The union branch with the fewest problems, among those that accept this kind of value. */
function nearestBranch(branches: readonly Branch[]): Branch | undefined {
  const possible = branches.filter((branch) => !branch.some(isWrongKind))
  return possible.toSorted((a, b) => weight(a) - weight(b))[0]
}

function isWrongKind({ code, path }: z.core.$ZodIssue): boolean {
  return path.length === 0 && (code === 'invalid_type' || code === 'invalid_value')
}

function weight(branch: Branch): number {
  const weights = flatten(branch).map(({ at, message }) =>
    at === 'key' && !message.includes('did you mean') ? 2 : 1,
  )
  return weights.reduce((sum, each) => sum + each, 0)
}
