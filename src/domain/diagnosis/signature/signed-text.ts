import type { SignedMembers } from '../../webhook/signature.ts'
import type { Mistake } from '../mistake.ts'

/** What somebody may have signed instead. */
export interface SignedText {
  readonly text: string | Buffer
  readonly mistakes: readonly Mistake[]
  /** Whether it often comes together with a wrong key. */
  readonly usual: boolean
}

/** A member of a string to sign: its name and its value. */
export type Pair = readonly [name: string, value: string]

/** The members of a string to sign, with what is wrong with choosing these. */
export interface Form {
  readonly pairs: readonly Pair[]
  readonly mistakes: readonly Mistake[]
}

export const joined = (pairs: readonly Pair[]): string =>
  pairs.map(([name, value]) => `${name}=${value}`).join('&')

export const shortPairs = ({ fiatAmount, requestId }: SignedMembers): Pair[] => [
  ['fiatAmount', fiatAmount],
  ['requestId', requestId],
]

export const currencyPairs = (members: SignedMembers): Pair[] => [
  ['currencyId', members.currencyId],
  ...shortPairs(members),
]

/** Without `trialPeriodDays`. */
export const intervalPairs = (members: SignedMembers): Pair[] => [
  ...currencyPairs(members),
  ['interval', members.interval ?? ''],
]
