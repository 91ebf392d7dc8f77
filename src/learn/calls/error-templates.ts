import type { Evidence } from '../evidence/evidence.ts'
import { type Inverted, invertErrors } from './error-inversion.ts'
import { matchError, type ShownValues } from './error-match.ts'
import { hasDefaultForm, type SeenError, seenErrors } from './seen-errors.ts'

/** A template that was found, or null for the form without one. */
export interface LearnedTemplate {
  readonly template: unknown
  /** Why it is not certain; empty if it is. */
  readonly doubts: readonly string[]
  /** Whether another template explains the same errors as well. */
  readonly isOpen?: boolean
}

/** The templates of error bodies that a capture shows. */
export interface ErrorTemplates {
  /** Of errors that are not about the input; null if none was seen or nothing explains them. */
  readonly common: LearnedTemplate | null
  readonly validation: LearnedTemplate | null
  /** Errors about the input, and the others that can have a template. */
  readonly refusals: readonly SeenError[]
  readonly others: readonly SeenError[]
}

/** The statuses of other errors that the service itself answers. */
const ownStatuses: readonly number[] = [404, 405, 413, 415, 429]

/** Whether a template can set the body of an error. */
export const hasTemplate = ({ status }: SeenError): boolean => ownStatuses.includes(status) || status >= 500

/** Finds the templates of error bodies. A failure of the server and
 *  an unknown path count only where they agree with the other errors, because something in front of the service can have
 *  answered them. */
export function errorTemplates(evidence: Evidence): ErrorTemplates {
  const errors = seenErrors(evidence)
  const refusals = errors.filter(({ problems }) => problems !== null)
  const others = errors.filter((seen) => seen.problems === null && hasTemplate(seen))
  const isOwn = ({ status, operation }: SeenError) => status < 500 && operation !== null
  const own = others.filter(isOwn)
  const strays = others.filter(({ operation }) => operation === null)
  const failures = others.filter((seen) => !isOwn(seen) && !strays.includes(seen))
  const base = own.length > 0 ? withAlike(own, [strays, failures]) : ofOneService(strays, failures)
  const learned = learn(refusals, base)
  const explained = [...strays, ...failures].filter(
    (seen) => learned.common !== null && explains(learned.common.template, seen),
  )
  return { ...learned, refusals, others: own.length > 0 ? [...own, ...explained] : base }
}

/** Adds each group of errors that one template explains together with those before. */
function withAlike(
  own: readonly SeenError[],
  groups: readonly (readonly SeenError[])[],
): readonly SeenError[] {
  let alike = own
  for (const group of groups) {
    const all = [...alike, ...group]
    if (invertErrors(all) !== null) alike = all
  }
  return alike
}

/** Without errors of the service itself, those that something in front of it can answer have to agree. */
function ofOneService(strays: readonly SeenError[], failures: readonly SeenError[]): readonly SeenError[] {
  return isOneService([...strays, ...failures]) ? [...strays, ...failures] : []
}

/** Whether failures of several statuses have bodies that tell them apart, as those of one service do. */
const isOneService = (failures: readonly SeenError[]): boolean =>
  failures.length >= 2 && failures.every(hasDefaultForm)
    ? true
    : new Set(failures.map(({ status }) => status)).size >= 2

type Learned = Pick<ErrorTemplates, 'common' | 'validation'>

function learn(refusals: readonly SeenError[], others: readonly SeenError[]): Learned {
  const ofOthers =
    others.length === 0 ? null : others.every(hasDefaultForm) ? none : learnedFrom(invertErrors(others))
  if (refusals.length === 0) return { common: ofOthers === none ? sameBody : ofOthers, validation: null }
  if (refusals.every(hasDefaultForm)) {
    const forms = new Set(refusals.map(({ body }) => typeof Object(body).error))
    // No template writes both forms.
    const isSure = forms.has('object') && (forms.size > 1 || ofOthers === none)
    const validation = isSure ? none : sameBody
    return { common: others.length === 0 || ofOthers === none ? validation : ofOthers, validation }
  }
  if (others.length === 0) {
    const alone = learnedFrom(invertErrors(refusals))
    const why = 'whether other errors have the same body does not show'
    return { common: null, validation: alone && { ...alone, doubts: [...alone.doubts, why] } }
  }
  const both = learnedFrom(invertErrors([...refusals, ...others]))
  if (both !== null && ofOthers === none) {
    const why = 'a template for invalid input alone explains the same bodies'
    const doubts = [...both.doubts, why]
    return { common: { ...both, doubts }, validation: { ...none, doubts } }
  }
  if (both !== null) {
    const own = learnedFrom(invertErrors(refusals))
    const why = 'one template for all errors explains the same bodies'
    // Where a part is in doubt, a text that invalid input alone always has speaks for two templates.
    if (both.doubts.length > 0 && hasMessage(both) && own !== null && !hasMessage(own))
      return { common: doubted(ofOthers, why), validation: doubted(own, why) }
    return { common: both, validation: { ...none, doubts: both.doubts } }
  }
  return { common: ofOthers, validation: learnedFrom(invertErrors(refusals)) }
}

const hasMessage = ({ template }: LearnedTemplate): boolean => JSON.stringify(template).includes('${message}')

const doubted = (learned: LearnedTemplate | null, why: string): LearnedTemplate | null =>
  learned && { ...learned, doubts: [...learned.doubts, why] }

const none: LearnedTemplate = { template: null, doubts: [] }
const sameBody: LearnedTemplate = { template: null, doubts: ['a template can write the same body'] }

function learnedFrom(inverted: Inverted | null): LearnedTemplate | null {
  if (inverted === null) return null
  const doubts = inverted.doubts.map((name) => `\`${name}\` may be fixed or follow another value`)
  return { template: inverted.template, doubts, isOpen: inverted.open.length > 0 }
}

/** Whether an error has the body of a template as a settings file writes it; null is the form without one. */
export const explains = (template: unknown, seen: SeenError): boolean =>
  template === null ? hasDefaultForm(seen) : matchError(template, seen) !== null

/** What the bodies of errors show by the learned templates. */
export function shownBy({ common, validation, refusals, others }: ErrorTemplates): ShownError[] {
  const shown = (all: readonly SeenError[], template: unknown): ShownError[] =>
    template === null || template === undefined
      ? []
      : all.flatMap((seen) => {
          const values = matchError(template, seen)
          return values === null ? [] : [{ seen, ...values }]
        })
  return [...shown(refusals, validation?.template ?? common?.template), ...shown(others, common?.template)]
}

/** An error with the values in its body. */
export interface ShownError extends ShownValues {
  readonly seen: SeenError
}
