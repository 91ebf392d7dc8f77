import { codeOf, fieldRules } from '../../../domain/answers/error-body.ts'
import type { SettingName } from '../../../domain/choices/settings.ts'
import { placeIn } from '../../calls/answers.ts'
import { reasonOf } from '../../calls/error-match.ts'
import { errorTemplates, type ShownError, shownBy } from '../../calls/error-templates.ts'
import { undecided } from '../../elimination/caution.ts'
import { eliminate, type Sight } from '../../elimination/eliminate.ts'
import type { Claims, Finding } from '../../elimination/finding.ts'
import { fieldsOf } from '../../evidence/read-call.ts'
import type { Rule } from '../rule.ts'

/** The words in error bodies: codes and messages by status, rules and reasons by field (N80). They are likely at most,
 *  and unknown if a usual mistake was not seen: it may have a word of its own. */
export const errorWords: Rule = {
  settings: ['errors.codes', 'errors.messages', 'errors.rules', 'errors.reasons'],
  learn: (evidence, { claims }) => {
    const shown = shownBy(errorTemplates(evidence))
    return [codes(shown, claims), messages(shown, claims), rules(shown, claims), reasons(shown, claims)]
  },
}

/** A word for a status or for a rule of a field, as an error shows it. */
interface Shown {
  readonly error: ShownError
  /** The keys under which a setting can have it, the more special one first. */
  readonly keys: readonly string[]
  readonly word: unknown
}

function wordsFinding(
  setting: SettingName,
  what: string,
  shown: readonly Shown[],
  { value, usual, allows, open = [], claims }: Words,
): Finding {
  const keys = [...new Set(shown.flatMap(({ keys }) => keys.at(-1) ?? []))]
  const decide = `errors of other statuses and fields, whose bodies show the ${what}`
  const finding = eliminate(
    {
      setting,
      candidates: [value],
      sights: shown.map((each) => ({
        source: each.error.seen.call.source,
        unit: `${each.keys.join()} ${each.error.seen.call.requestId ?? placeIn(each.error.seen.call)}`,
        words: `an error shows the ${what} ${JSON.stringify(each.word)}`,
        allows: allows(each),
      })),
      isOpen: true,
      evidence: (_, count) => `${count} ${what}s in errors: of ${keys.join(', ')}`,
      nothing: `no error shows a ${what}`,
      decide,
    },
    claims,
  )
  if (finding.state === 'contradictory')
    return { ...finding, state: 'unknown', evidence: `the ${what}s in errors follow no rule` }
  if (finding.state !== 'known' && finding.state !== 'likely') return finding
  const unseen = [...usual.filter((key) => !keys.includes(key)), ...open]
  if (unseen.length > 0) {
    const seen = JSON.stringify(value)
    const evidence = `${finding.evidence}; so far ${seen}, but what ${unseen.join(', ')} have does not show`
    const left = `errors of ${unseen.join(', ')}, twice each`
    return undecided(finding, { evidence, decide: left })
  }
  return { ...finding, state: 'likely', decide }
}

interface Words {
  /** All that was seen, as a settings file writes it. */
  readonly value: unknown
  /** The statuses or rules of usual mistakes. */
  readonly usual: readonly string[]
  /** Statuses whose word is not clear. */
  readonly open?: readonly string[]
  readonly allows: (shown: Shown) => Sight['allows']
  readonly claims: Claims
}

/** Every application that is being written meets these. */
const usualStatuses = ['404', '405', '415']

function codes(shown: readonly ShownError[], claims: Claims): Finding {
  const seen = shown.flatMap((error): Shown[] => {
    const word = error.values.get('code')
    return word === undefined ? [] : [{ error, keys: [String(error.seen.status)], word }]
  })
  const usual = ({ error }: Shown): unknown => codeOf(reasonOf(error.seen.status))
  const own = seen.filter((each) => each.word !== usual(each))
  return wordsFinding('errors.codes', 'code', seen, {
    value: Object.fromEntries(own.map(({ keys, word }) => [keys[0], word])),
    usual: usualStatuses,
    allows: (each) => (value) => (fieldsOf(value)[each.keys[0] ?? ''] ?? usual(each)) === each.word,
    claims,
  })
}

/** The messages of this program that are the same each time, or that have a number in them. */
const usualMessage = /\d|^Content-Type must be |^There is nothing at |^The body |; use (GET|POST)$/

/** Whether a message is the usual one of its status, or names its call. */
function isUsualMessage({ error: { seen }, word }: Shown): boolean {
  const text = String(word)
  return text === reasonOf(seen.status) || usualMessage.test(text) || text.includes(seen.call.path)
}

function messages(shown: readonly ShownError[], claims: Claims): Finding {
  const all = shown.flatMap((error): Shown[] => {
    const word = error.values.get('message')
    return typeof word === 'string' ? [{ error, keys: [String(error.seen.status)], word }] : []
  })
  // A status whose messages differ has none of its own.
  const byStatus = [...Map.groupBy(all, ({ keys }) => keys[0])]
  const fixed = byStatus.flatMap(([, each]) => {
    const [first] = each
    const isOne = first !== undefined && new Set(each.map(({ word }) => word)).size === 1
    return isOne && !isUsualMessage(first) ? [{ first, isSure: each.length > 1 }] : []
  })
  const own = fixed.flatMap(({ first, isSure }) => (isSure ? [first] : []))
  // Seen once, it may be the status's own or that of this call.
  const open = fixed.flatMap(({ first, isSure }) => (isSure ? [] : first.keys))
  return wordsFinding('errors.messages', 'message', all, {
    value: Object.fromEntries(own.map(({ keys, word }) => [keys[0], word])),
    usual: usualStatuses,
    open,
    allows: (each) => (value) => {
      const set = fieldsOf(value)[each.keys[0] ?? '']
      return set === undefined || set === each.word
    },
    claims,
  })
}

/** The words of a placeholder for problems, with the names of the field and of the rule. */
function problemWords(shown: readonly ShownError[], name: 'rule' | 'reason'): Shown[] {
  return shown.flatMap((error): Shown[] => {
    const { problems = [] } = error.seen
    const [first] = problems ?? []
    const ofFirst = error.values.get(`first.${name}`)
    const known = (field: string, word: unknown): Shown[] => {
      const problem = (problems ?? []).find((each) => each.field === field)
      return problem === undefined || typeof word !== 'string'
        ? []
        : [{ error, keys: [`${field}.${problem.rule}`, problem.rule], word }]
    }
    return [
      ...(first === undefined ? [] : known(first.field, ofFirst)),
      ...error.problems.flatMap((values) => {
        const field = values.get('problems.field') ?? values.get('problems.pointer')
        return known(
          String(field ?? '')
            .replace(/^\//, '')
            .replaceAll('/', '.'),
          values.get(`problems.${name}`),
        )
      }),
    ]
  })
}

/** The words by rule; by field and rule where fields differ in one rule. */
function wordMap(all: readonly Shown[], isUsual: (shown: Shown) => boolean): Record<string, unknown> {
  const entries = [...Map.groupBy(all, ({ keys }) => keys[1] ?? '')].flatMap(([rule, each]) => {
    const own = each.filter((one) => !isUsual(one))
    const isOne = own.length === each.length && new Set(own.map(({ word }) => word)).size === 1
    if (isOne) return [[rule, own[0]?.word] as const]
    return own.map(({ keys, word }) => [keys[0] ?? '', word] as const)
  })
  return Object.fromEntries(entries)
}

const isRule = ({ word }: Shown): boolean => fieldRules.some((rule) => rule === word)
/** The reasons of this program, without a setting for them. */
const usualReason = new RegExp(
  '^(is missing$|is required (for the currency|with mode) |is not in the currency |is in the query more|INVALID_APP is never valid$|expected .*, not |' +
    'must be (an amount with at most two decimals, like|greater than zero$|an e-mail address: one @|E\\.164: |a UUID$|' +
    'a two-letter ISO|two letters, like|a JSON object$|an absolute https? |an absolute http,? |a number of days in quotes|' +
    'at (most|least) [\\d.]+$|one of )|must not be empty$|must have at most \\d+ (characters|decimals in )|contains half of)',
)
const isUsualReason = ({ word }: Shown): boolean => usualReason.test(String(word))

/** Whether a setting has a word for a problem. Only a missing field is certain to break one rule. */
function hasWord(value: unknown, { keys, word }: Shown, isUsual: boolean): boolean {
  const map = fieldsOf(value)
  const [special = '', rule = ''] = keys
  if (rule === 'required') {
    const set = map[special] ?? map[rule]
    return set === undefined ? isUsual : set === word
  }
  const field = special.slice(0, -rule.length)
  const possible: unknown[] = fieldRules
    .flatMap((each) => [map[`${field}${each}`], map[each]])
    .filter((each) => each !== undefined)
  return isUsual || possible.length === 0 || possible.includes(word)
}

function rules(shown: readonly ShownError[], claims: Claims): Finding {
  const all = problemWords(shown, 'rule')
  return wordsFinding('errors.rules', 'rule', all, {
    value: wordMap(all, isRule),
    usual: fieldRules,
    allows: (each) => (value) => hasWord(value, each, isRule(each)),
    claims,
  })
}

function reasons(shown: readonly ShownError[], claims: Claims): Finding {
  const all = problemWords(shown, 'reason')
  return wordsFinding('errors.reasons', 'reason', all, {
    value: wordMap(all, isUsualReason),
    usual: fieldRules,
    allows: (each) => (value) => hasWord(value, each, isUsualReason(each)),
    claims,
  })
}
