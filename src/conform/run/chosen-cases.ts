import { didYouMean } from '../../domain/text/issue-words.ts'
import type { Case } from '../case.ts'
import { allCases } from '../cases/all.ts'
import type { CaseId, Level } from '../report.ts'

/** The options that select the cases of a run. */
export interface Choice {
  /** The ids of the selected cases; default: all cases. */
  readonly only?: readonly CaseId[] | undefined
  /** The level of the selected cases: with `MUST`, SHOULD cases are left out. */
  readonly level?: Level | undefined
}

/** The cases of a run in their order; those that may run side by side come first, those that change the whole client
 *  come last.
 *  @throws RangeError for an unknown case, and if no case is left */
export function chosen({ only, level }: Choice): Case[] {
  for (const id of only ?? []) caseNamed(id, allCases)
  const wanted = allCases.filter(
    (each) => (only === undefined || only.includes(each.id)) && (level !== 'MUST' || each.level === 'MUST'),
  )
  if (wanted.length === 0) throw new RangeError(nothingLeft(only ?? []))
  return wanted.toSorted((a, b) => rankOf(a) - rankOf(b) || a.id.localeCompare(b.id))
}

/** Cases that may run side by side come first, after those from which the others learn. */
const rankOf = ({ first, sideBySide, wholeClient }: Case): number =>
  first ? 0 : sideBySide ? 1 : wholeClient ? 3 : 2

const nothingLeft = (only: readonly CaseId[]): string =>
  only.length === 0
    ? '`only` is empty: name some cases, or leave it out'
    : `no case is left to run: none of ${only.join(', ')} has the level MUST`

/** Finds a case by its id.
 *  @throws RangeError if there is none */
export function caseNamed(id: CaseId, cases: readonly Case[]): Case {
  const found = cases.find((each) => each.id === id)
  if (found !== undefined) return found
  const ids = cases.map((each) => each.id)
  throw new RangeError(`there is no case ${id}${didYouMean(id, ids) || `; there are ${ids.join(', ')}`}`)
}
