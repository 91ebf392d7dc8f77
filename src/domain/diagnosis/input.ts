import { nearest } from '../nearest.ts'
import type { Problem } from '../problems.ts'
import type { Cause } from './causes.ts'

/** A problem of a body's member or a parameter. */
export interface InputProblem extends Problem {
  /** The unknown member that was most probably meant to be this one. */
  readonly instead?: string
}

/** Problems with the unknown members that explain them: `requestId` is missing, and there is a `request_id`.
 *  @param unknown names of the outermost object */
export function explained(problems: readonly Problem[], unknown: readonly string[]): InputProblem[] {
  return problems.map((problem) => {
    const [name] = problem.path
    if (!isMissing(problem) || problem.path.length !== 1 || typeof name !== 'string') return problem
    const instead = unknown.slice(0, mostUnknown).find((other) => nearest(other, [name]) !== undefined)
    return instead === undefined ? problem : { ...problem, instead }
  })
}

/** What several problems come down to, in the order in which they explain most. */
export function diagnoseInput(problems: readonly InputProblem[]): { cause: Cause; words: string } {
  const misnamed = problems.find(({ instead }) => instead !== undefined)
  if (misnamed?.instead !== undefined) {
    const words = `there is a ${JSON.stringify(misnamed.instead.slice(0, 100))}; call it \`${misnamed.path.join('.')}\``
    return { cause: 'input.member-name', words }
  }
  if (problems.some(isMissing)) return { cause: 'input.missing', words: '' }
  if (problems.some(isOfWrongType)) return { cause: 'input.type', words: '' }
  return { cause: 'input.invalid', words: '' }
}

/** Of a body with more unknown members only these are looked at. */
const mostUnknown = 50

const isMissing = ({ message }: Problem) => /^`[^`]*` is missing$|^is missing$/.test(message)

const isOfWrongType = ({ message }: Problem) => /^expected [^`]/.test(message)
