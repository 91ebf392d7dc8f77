import type { SignedMembers } from '../../webhook/signature.ts'
import type { Mistake } from '../mistake.ts'
import { type Arrangement, otherArrangements } from './layout-mistakes.ts'
import {
  currencyPairs,
  type Form,
  intervalPairs,
  joined,
  type Pair,
  type SignedText,
  shortPairs,
} from './signed-text.ts'
import { respelledAmounts, respelledValues } from './value-mistakes.ts'

/** The forms of this call's signed text, then those of other calls.
 *  @param accepted the accepted texts; a setting may select one of two (N19) */
function forms(
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
function unsaidForms(members: SignedMembers): Form[] {
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

/** The maximum length of a body that is tried as the signed text. */
const longestCharacters = 16 * 1024

type Json = Readonly<Record<string, unknown>>

/** The body's JSON, which other services sign: as sent, and as programs reformat it.
 *  @param body as sent
 *  @param members the parsed body
 *  @param signed the fields to be signed */
function jsonTexts(body: string, members: Json, signed: readonly Pair[]): Arrangement[] {
  if (body.length > longestCharacters) return []
  const sorted = Object.fromEntries(Object.entries(members).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const few = Object.fromEntries(signed)
  return [
    body,
    body.trim(),
    `${body}\n`,
    ...[members, sorted].flatMap(writings),
    JSON.stringify(members, null, 2),
    JSON.stringify(members, null, 4),
  ]
    .map(
      (text): Arrangement => ({
        text,
        mistake: { cause: 'signature.json-body', words: 'you signed the JSON body' },
      }),
    )
    .concat(
      writings(few).map((text) => ({
        text,
        mistake: { cause: 'signature.json-body', words: 'you signed JSON that contains the fields' },
      })),
      allMembers(members),
    )
}

/** Formats JSON: compact; like Python's `json.dumps`, with and without `ensure_ascii`; compact with escapes. */
function writings(value: Json): string[] {
  const compact = JSON.stringify(value)
  const spaced = withSpaces(compact)
  return [compact, spaced, asciiOnly(spaced), asciiOnly(compact), compact.replaceAll('/', '\\/')]
}

/** Adds a space after each colon and comma outside of strings. */
const withSpaces = (compact: string): string =>
  compact.replaceAll(/"(?:[^"\\]|\\.)*"|[:,]/g, (part) => (part === ':' || part === ',' ? `${part} ` : part))

const asciiOnly = (json: string): string =>
  json.replaceAll(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** All fields of the body as a query, in order or sorted by name, as many services sign them. */
function allMembers(members: Json): Arrangement[] {
  const pairs = Object.entries(members).flatMap(([name, value]): Pair[] =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  const sorted = pairs.toSorted(([a], [b]) => (a < b ? -1 : 1))
  const texts = [pairs, sorted].flatMap((each) => [
    joined(each),
    new URLSearchParams(each.map(copied)).toString(),
  ])
  const words = 'you signed all fields of the body; sign only the fields in the string to sign'
  return texts.map((text) => ({ text, mistake: { cause: 'signature.all-members', words } }))
}

const copied = ([name, value]: Pair): [string, string] => [name, value]

/** A create call whose signature is examined. */
export interface SignedCall {
  readonly kind: 'checkout' | 'subscription'
  readonly members: SignedMembers
  /** The texts that the service would accept. */
  readonly accepted: readonly string[]
  /** The body of the call, as sent and parsed. */
  readonly body: string
  readonly read: Readonly<Record<string, unknown>>
  /** The first value of each repeated signed field; the last one counts. */
  readonly firstValues: Partial<SignedMembers>
}

/** Texts that may have been signed: single mistakes first, then usual pairs. Generated on demand. */
export function* signedTexts(call: SignedCall): Generator<SignedText> {
  const all = forms(call.kind, call.members, call.accepted)
  const right = all.filter(({ mistakes }) => mistakes.length === 0)
  const wrong = all.filter(({ mistakes }) => mistakes.length > 0)
  for (const { pairs, mistakes } of wrong) yield { text: joined(pairs), mistakes, usual: true }
  yield* firstOfDoubled(call)
  yield* unsaid(call)
  for (const form of right) yield* respelledIn(form)
  const signed = right[0]?.pairs ?? []
  for (const { text, mistake } of jsonTexts(call.body, call.read, signed)) {
    yield { text, mistakes: [mistake], usual: text === call.body }
  }
  for (const form of right) yield* otherValues(form)
  for (const form of right) yield* laid(form)
  yield { text: '', mistakes: [emptyText], usual: false }
  for (const form of wrong) yield* respelledIn(form)
}

const emptyText: Mistake = { cause: 'signature.empty-string', words: 'you signed an empty string' }

function* unsaid({ kind, members }: SignedCall): Generator<SignedText> {
  if (kind === 'subscription') return
  for (const { pairs, mistakes } of unsaidForms(members)) {
    yield { text: joined(pairs), mistakes, usual: false }
  }
}

/** The amount spelled differently; in the text of another call it is a second mistake. */
function* respelledIn({ pairs, mistakes }: Form): Generator<SignedText> {
  for (const { pairs: other, mistake } of respelledAmounts(pairs)) {
    yield { text: joined(other), mistakes: [mistake, ...mistakes], usual: mistakes.length === 0 }
  }
}

function* otherValues({ pairs }: Form): Generator<SignedText> {
  for (const { pairs: other, mistake } of respelledValues(pairs)) {
    yield { text: joined(other), mistakes: [mistake], usual: false }
  }
}

function* laid({ pairs }: Form): Generator<SignedText> {
  for (const { text, mistake } of otherArrangements(pairs)) {
    yield { text, mistakes: [mistake], usual: mistake.cause === 'signature.line-end' }
  }
}

/** Tries the first value of a repeated field: some JSON libraries use it, or the caller signed a value and then
 *  replaced it. */
function* firstOfDoubled({ kind, members, accepted, firstValues }: SignedCall): Generator<SignedText> {
  const names = Object.keys(firstValues)
  if (names.length === 0) return
  const words = `you signed the first \`${names.join('`, `')}\` in the body, which has it twice; the last one counts`
  for (const { pairs } of forms(kind, { ...members, ...firstValues }, accepted)) {
    yield { text: joined(pairs), mistakes: [{ cause: 'body.duplicate-member', words }], usual: false }
  }
}
