import type { SignedMembers } from '../../signature.ts'
import type { Mistake } from '../mistake.ts'
import { currencyPairs, type Form, intervalPairs, joined, type Pair, shortPairs } from './signed-text.ts'

/** The forms that are right for a call and, behind them, those of other calls.
 *  @param accepted the strings that would have been right; a setting may pin one of two (N19) */
export function forms(
  kind: 'checkout' | 'subscription',
  members: SignedMembers,
  accepted: readonly string[],
): Form[] {
  const all = kind === 'checkout' ? checkoutForms(members) : subscriptionForms(members)
  const judged = all.map(({ pairs, mistakes }) =>
    accepted.includes(joined(pairs)) ? { pairs, mistakes: [] } : { pairs, mistakes },
  )
  return judged.toSorted((a, b) => a.mistakes.length - b.mistakes.length)
}

function checkoutForms(members: SignedMembers): Form[] {
  const pinned = (words: string) => [{ cause: 'signature.checkout-form', words } as const]
  return [
    {
      pairs: shortPairs(members),
      mistakes: pinned('you signed the short string; `signature.checkout` pins the one with currencyId'),
    },
    {
      pairs: currencyPairs(members),
      mistakes: pinned('you signed the string with currencyId; `signature.checkout` pins the short one'),
    },
    ...[intervalPairs(members), [...intervalPairs(members), trialPair(members)]].map((pairs) => ({
      pairs,
      mistakes: [
        { cause: 'signature.subscription-form', words: 'you signed the string of a subscription' } as const,
      ],
    })),
  ]
}

function subscriptionForms(members: SignedMembers): Form[] {
  const base = intervalPairs(members)
  const checkout = (what: string) => [
    { cause: 'signature.checkout-form', words: `you signed the ${what} string of a checkout order` } as const,
  ]
  return [
    ...trialForms(members).map((pairs) => ({ pairs, mistakes: [trialMistake(pairs.at(-1)?.[1] ?? '')] })),
    {
      pairs: base,
      mistakes: [{ cause: 'signature.trial-days', words: 'you signed a string without `trialPeriodDays`' }],
    },
    { pairs: currencyPairs(members), mistakes: checkout('longer') },
    { pairs: shortPairs(members), mistakes: checkout('short') },
  ]
}

const trialPair = ({ trialPeriodDays }: SignedMembers): Pair => ['trialPeriodDays', trialPeriodDays ?? '']

function trialForms(members: SignedMembers): Pair[][] {
  const days = members.trialPeriodDays ?? ''
  const number = days === '' ? [] : [String(Number(days)), String(Number(days)).padStart(2, '0')]
  const values = new Set([...(days === '' ? [] : [days]), ...number, '', '0', 'undefined', 'null', 'None'])
  return [...values].map((value) => [...intervalPairs(members), ['trialPeriodDays', value] as const])
}

function trialMistake(value: string): Mistake {
  const words =
    value === ''
      ? 'you signed an empty `trialPeriodDays`, which is left out'
      : `you signed \`trialPeriodDays=${value}\`, which is not what the body says`
  return { cause: 'signature.trial-days', words }
}
