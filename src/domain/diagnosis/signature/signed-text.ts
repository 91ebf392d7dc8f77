import type { SignedMembers } from '../../webhook/signature.ts'
import type { Mistake } from '../mistake.ts'

/** A text that may have been signed instead of the right one. */
export interface SignedText {
  readonly text: string | Buffer
  readonly mistakes: readonly Mistake[]
  /** Whether it often occurs together with a wrong key. */
  readonly usual: boolean
}

/** A field of a signed text: name and value. */
export type Pair = readonly [name: string, value: string]

/** The fields of a signed text, with the mistakes in their choice. */
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

/** The fields of a subscription's signed text without `trialPeriodDays`. */
export const intervalPairs = (members: SignedMembers): Pair[] => [
  ...currencyPairs(members),
  ['interval', members.interval ?? ''],
]
