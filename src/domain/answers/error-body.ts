import * as z from 'zod'
import { fillTemplate, jsonTemplate, type Placeholders } from '../text/template.ts'
import type { EpochMs } from '../text/time.ts'

/** The values that a template for errors can name. */
export const errorPlaceholders = {
  values: {
    code: 'text',
    message: 'text',
    status: 'number',
    reason: 'text',
    requestId: 'text',
    errorId: 'text',
    method: 'text',
    path: 'text',
    time: 'time',
    'first.field': 'text',
    'first.pointer': 'text',
    'first.rule': 'text',
    'first.reason': 'text',
  },
  lists: { problems: { field: 'text', pointer: 'text', rule: 'text', reason: 'text' } },
} as const satisfies Placeholders

/** Schema of a user's error body (N80). */
export const errorTemplate = jsonTemplate(errorPlaceholders)

/** The rules that a field of a request can break. */
export const fieldRules = ['required', 'type', 'length', 'format'] as const

/** A field of a request that is wrong, and why. */
export interface FieldProblem {
  /** The names on the way to the field, with a point between them; empty for the whole input. */
  readonly field: string
  readonly rule: (typeof fieldRules)[number]
  readonly reason: string
}

/** Words of a provider, by rule (`required`), or by field and rule (`fiatAmount.format`). */
export type RuleWords = Readonly<Record<string, string>>

/** Schema of the words of a provider for rules or reasons. */
export const ruleWords = z.record(
  z
    .string()
    .max(200)
    .regex(
      new RegExp(`^([A-Za-z][\\w.]*\\.)?(${fieldRules.join('|')})$`),
      `expected a rule (${fieldRules.join(', ')}), or a field and a rule such as \`fiatAmount.format\``,
    ),
  z.string().min(1).max(500),
)

/** An error of the service whose format the API specification does not show. */
export interface OpenError {
  readonly status: number
  /** The HTTP reason phrase of the status, such as `Bad Request`. */
  readonly reason: string
  /** The setting's word or number for the status; left out to derive it from the reason phrase. */
  readonly code?: string | number | undefined
  readonly message: string
  readonly problems?: readonly FieldProblem[] | undefined
  /** The setting's words for the rules and for the reasons of problems. */
  readonly words?: { readonly rules: RuleWords; readonly reasons: RuleWords } | undefined
  /** The requestId of the call, if it is known. */
  readonly requestId: string | null
  /** The id of the request log's entry. */
  readonly errorId: string
  readonly method: string
  readonly path: string
  /** The time on the client's clock; without a client, on the wall clock. */
  readonly at: EpochMs
  readonly offset: string
}

/** Fills a template for errors.
 *  @returns the body as JSON text */
export function errorBodyOf(template: unknown, error: OpenError): string {
  const { at, offset, requestId, problems = [], words, reason, code = codeOf(reason), ...values } = error
  const shown = problems.map((problem) => shownProblem(problem, words))
  const first = Object.entries(shown[0] ?? {}).map(([name, value]) => [`first.${name}`, value])
  const filled = fillTemplate(template, {
    ...values,
    reason,
    code,
    ...Object.fromEntries(first),
    problems: shown,
    requestId: requestId ?? undefined,
    time: { time: at, offset },
  })
  return filled ?? '{}'
}

/** A problem in the words of the settings. Those for a field take precedence. */
function shownProblem({ field, rule, reason }: FieldProblem, words: OpenError['words']) {
  const wordIn = (own: RuleWords = {}) => own[`${field}.${rule}`] ?? own[rule]
  return {
    field,
    pointer: field === '' ? '' : `/${field.replaceAll('.', '/')}`,
    rule: wordIn(words?.rules) ?? rule,
    reason: wordIn(words?.reasons) ?? reason,
  }
}

/** Derives a code from an HTTP reason phrase: `too_many_requests`. */
export const codeOf = (reason: string): string => reason.toLowerCase().replaceAll(/\W+/g, '_')
