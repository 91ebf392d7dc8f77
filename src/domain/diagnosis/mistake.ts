import { nearest } from '../text/issue-words.ts'
import type { Problem } from '../text/problems.ts'
import type { Cause } from './causes.ts'

/** A problem of a body's member or a parameter. */
export interface InputProblem extends Problem {
  /** The unknown member that was most probably meant to be this one. */
  readonly instead?: string
  /** It stands in the body more than once, and the value that counts is not the only one. */
  readonly doubled?: true
}

/** Problems with what explains them: `requestId` is missing, and there is a `request_id`; or it is there twice.
 *  @param unknown names of the outermost object
 *  @param isDoubled whether the outermost object has a member more than once */
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

/** What several problems come down to, in the order in which they explain most. */
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

/** Of a body with more unknown members only these are looked at. */
const mostUnknown = 50

const isMissing = ({ message }: Problem) => /^`[^`]*` is missing$|^is missing$/.test(message)

const isOfWrongType = ({ message }: Problem) => /^expected [^`]/.test(message)

const words = new Set(['undefined', 'null', 'none', 'nil', 'nan', 'false', 'true', 'changeme', 'xxx', '...'])

/** Whether a value looks like what a program sends when the real one was never put in its place. */
export function isPlaceholder(value: string): boolean {
  return (
    words.has(value.toLowerCase()) ||
    /^\[object \w+\]$/.test(value) ||
    /^(?:\$\{?[a-z_][\w.-]*\}?|\{\{?\s*[\w.-]+\s*\}?\}|<[\w .-]+>|%[a-z_]\w*%|:[a-z_]\w*)$/i.test(value)
  )
}

/** One thing that a caller did otherwise than the service wants it. */
export interface Mistake {
  readonly cause: Cause
  /** A clause about the caller, e.g. `you signed the hex digest`. */
  readonly words: string
}

/** Several mistakes as one clause. */
export const inWords = (mistakes: readonly Mistake[]): string =>
  mistakes.map(({ words }) => words).join(', and ')
