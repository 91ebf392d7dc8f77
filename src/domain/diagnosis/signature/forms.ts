import type { SignedMembers } from '../../webhook/signature.ts'
import type { Mistake } from '../mistake.ts'
import { currencyPairs, type Form, intervalPairs, joined, type Pair, shortPairs } from './signed-text.ts'

/** The forms of this call's signed text, then those of other calls.
 *  @param accepted the accepted texts; a setting may select one of two (N19) */
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
      mistakes: pinned(
        'you signed the short string; the setting `signature.checkout` requires the one with currencyId',
      ),
    },
    {
      pairs: currencyPairs(members),
      mistakes: pinned(
        'you signed the string with currencyId; the setting `signature.checkout` requires the short one',
      ),
    },
    ...[intervalPairs(members), [...intervalPairs(members), trialPair(members)]].map((pairs) => ({
      pairs,
      mistakes: [subscriptionForm('you signed the string for a subscription')],
    })),
  ]
}

const subscriptionForm = (words: string): Mistake => ({ cause: 'signature.subscription-form', words })

/** The subscription texts for a checkout whose body lacks the signed interval or trial days. Only usual values can
 *  be tried. */
export function unsaidForms(members: SignedMembers): Form[] {
  return usualIntervals.flatMap((interval) => {
    const base = intervalPairs({ ...members, interval })
    const words = `you signed the string for a subscription, with \`interval=${interval}\`, which is not in the body`
    const trials = [members.trialPeriodDays ?? '', ...usualTrials]
    return [base, ...trials.map((days) => [...base, ['trialPeriodDays', days] as const])].map((pairs) => ({
      pairs,
      mistakes: [subscriptionForm(words)],
    }))
  })
}

const usualIntervals = ['MONTHLY', 'DAILY', 'WEEKLY', 'QUARTERLY', 'YEARLY', 'undefined', 'null', 'None']
const usualTrials = ['0', '7', '14', '30', '60', '90']

function subscriptionForms(members: SignedMembers): Form[] {
  const base = intervalPairs(members)
  const checkout = (what: string) => [
    {
      cause: 'signature.checkout-form',
      words: `you signed the ${what} string for a checkout order`,
    } as const,
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
      ? 'you signed an empty `trialPeriodDays`; leave it out'
      : `you signed \`trialPeriodDays=${value}\`, but the body has another value`
  return { cause: 'signature.trial-days', words }
}
