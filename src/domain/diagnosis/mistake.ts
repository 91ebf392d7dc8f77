import { nearest } from '../text/issue-words.ts'
import type { Problem } from '../text/problems.ts'
import type { Cause } from './causes.ts'

/** A problem with a field of a body or with a query parameter. */
export interface InputProblem extends Problem {
  /** The unknown field that was probably meant to be this one. */
  readonly instead?: string
  /** True if the field occurs more than once, with different values. */
  readonly doubled?: true
}

/** Adds explanations to problems: `requestId` is missing but there is a `request_id`, or it occurs twice.
 *  @param unknown names of the outermost object
 *  @param isDoubled whether the outermost object repeats a field */
export function explained(
  problems: readonly Problem[],
  unknown: readonly string[],
  isDoubled: (name: string) => boolean,
): InputProblem[] {
  return problems.map((problem) => {
    const [name] = problem.path
    if (typeof name === 'string' && isDoubled(name)) return { ...problem, doubled: true }
    if (!isMissing(problem) || problem.path.length !== 1 || typeof name !== 'string') return problem
    const instead = unknown.slice(0, mostUnknown).find((other) => nearest(other, [name]) !== undefined)
    return instead === undefined ? problem : { ...problem, instead }
  })
}

/** Picks the cause that explains several problems best. */
export function diagnoseInput(problems: readonly InputProblem[]): { cause: Cause; words: string } {
  const misnamed = problems.find(({ instead }) => instead !== undefined)
  if (misnamed?.instead !== undefined) {
    const words = `the body has ${JSON.stringify(misnamed.instead.slice(0, 100))}; rename it to \`${misnamed.path.join('.')}\``
    return { cause: 'input.member-name', words }
  }
  const doubled = problems.find((problem) => problem.doubled)
  if (doubled !== undefined) {
    const words = `\`${doubled.path[0]}\` is in the body more than once, and the last one counts`
    return { cause: 'body.duplicate-member', words }
  }
  if (problems.some(isMissing)) return { cause: 'input.missing', words: '' }
  if (problems.some(isOfWrongType)) return { cause: 'input.type', words: '' }
  return { cause: 'input.invalid', words: '' }
}

/** The maximum number of unknown fields that are examined. */
const mostUnknown = 50

const isMissing = ({ message }: Problem) => /^`[^`]*` is missing$|^is missing$/.test(message)

const isOfWrongType = ({ message }: Problem) => /^expected [^`]/.test(message)

const words = new Set(['undefined', 'null', 'none', 'nil', 'nan', 'false', 'true', 'changeme', 'xxx', '...'])

/** Whether a value looks like a placeholder that was never replaced. */
export function isPlaceholder(value: string): boolean {
  return (
    words.has(value.toLowerCase()) ||
    /^\[object \w+\]$/.test(value) ||
    /^(?:\$\{?[a-z_][\w.-]*\}?|\{\{?\s*[\w.-]+\s*\}?\}|<[\w .-]+>|%[a-z_]\w*%|:[a-z_]\w*)$/i.test(value)
  )
}

/** A mistake that callers often make, for example in a signature. */
export interface Mistake {
  readonly cause: Cause
  /** A clause about the caller, e.g. `you signed the hex digest`. */
  readonly words: string
}

/** Joins the words of several mistakes into one clause. */
export const inWords = (mistakes: readonly Mistake[]): string =>
  mistakes.map(({ words }) => words).join(', and ')
