import { placeIn } from '../../calls/answers.ts'
import {
  type ErrorTemplates,
  errorTemplates,
  explains,
  hasTemplate,
  type LearnedTemplate,
} from '../../calls/error-templates.ts'
import { isOpenError, type RefusedInput, refusedInputs } from '../../calls/refused-input.ts'
import { hasDefaultForm, type SeenError, seenErrors } from '../../calls/seen-errors.ts'
import { undecided } from '../../elimination/caution.ts'
import { eliminate, readValue, type Sight } from '../../elimination/eliminate.ts'
import type { Claims, Finding, Unexplained } from '../../elimination/finding.ts'
import type { Evidence } from '../../evidence/evidence.ts'
import type { Rule } from '../rule.ts'

/** The status and the bodies of errors that the API specification does not print (N28, N33, N80). */
export const refusals: Rule = {
  settings: ['errors.validationStatus', 'errors.template', 'errors.validationTemplate'],
  learn: (evidence, { claims }) => {
    const templates = errorTemplates(evidence)
    return [
      validationStatus(refusedInputs(evidence), claims),
      commonTemplate(templates, claims),
      validationTemplate(templates, claims),
    ]
  },
  unexplained: (evidence) => strangeErrors(evidence),
}

function validationStatus(refused: readonly RefusedInput[], claims: Claims): Finding {
  return readValue(
    {
      setting: 'errors.validationStatus',
      readings: refused.map(({ call, status, wrong, named }) => ({
        source: call.source,
        unit: unitOf(call),
        words: `a call with a wrong \`${named[0] ?? wrong[0]?.field}\` was answered ${status}`,
        value: status,
      })),
      evidence: (value, count) => `${count} calls with invalid input were answered ${value}`,
      nothing: 'no call was refused because of its input',
      decide: 'two create calls without an `email`',
    },
    claims,
  )
}

const unitOf = (call: SeenError['call']): string => call.requestId ?? placeIn(call)

function commonTemplate(templates: ErrorTemplates, claims: Claims): Finding {
  const { common, validation, refusals, others } = templates
  // Without a template of their own, refusals of invalid input have this one.
  const claimed = claims.get('errors.validationTemplate') ?? null
  const areRefusals = claimed === null && (validation === null || validation.template === null)
  const about = areRefusals ? [...others, ...refusals] : others
  const finding = eliminate(
    {
      setting: 'errors.template',
      candidates: candidate(common),
      sights: about.map((seen) => sightOf(seen, (value) => explains(value, seen))),
      evidence: (value, count) => `${count} errors have ${bodyOf(value)}`,
      nothing:
        refusals.length > 0
          ? 'only invalid input was refused, which may have a template of its own'
          : 'no error shows its body',
      decide: 'two errors of different statuses, such as a create call with the Content-Type text/plain',
      isOpen: true,
    },
    claims,
  )
  const statuses = new Set(about.map(({ status }) => status))
  const isFree = common !== null && common.template !== null
  if (!isFree || statuses.size !== 1) return weakened(finding, common)
  return undecided(finding, {
    evidence: `only errors ${about[0]?.status} were seen, whose body may be fixed`,
    decide: 'two errors of another status, such as a create call with the Content-Type text/plain',
  })
}

function validationTemplate({ common, validation, refusals }: ErrorTemplates, claims: Claims): Finding {
  const instead = [common?.template ?? null, claims.get('errors.template') ?? null]
  const allows = (seen: SeenError) => (value: unknown) =>
    value === null ? instead.some((template) => explains(template, seen)) : explains(value, seen)
  const finding = eliminate(
    {
      setting: 'errors.validationTemplate',
      candidates: candidate(validation),
      sights: refusals.map((seen) => sightOf(seen, allows(seen))),
      evidence: (value, count) =>
        `${count} refusals of invalid input have ${value === null ? 'the body of the other errors' : bodyOf(value)}`,
      nothing: 'no call was refused because of its input',
      decide: 'a create call without an `email`, and one with the Content-Type text/plain',
      isOpen: true,
    },
    claims,
  )
  return weakened(finding, validation)
}

const candidate = (learned: LearnedTemplate | null): unknown[] => (learned === null ? [] : [learned.template])

const bodyOf = (template: unknown): string =>
  template === null ? 'the usual body' : 'the body of this template'

const sightOf = ({ call, status }: SeenError, allows: Sight['allows']): Sight => ({
  source: call.source,
  unit: `${status} ${unitOf(call)}`,
  words: `answered ${status} ${cut(call.response ?? '')}`,
  allows,
})

const cut = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)

/** A template with doubts is likely at most; without one, nothing explains the errors. */
function weakened(finding: Finding, learned: LearnedTemplate | null): Finding {
  if (learned === null && finding.state === 'contradictory')
    return {
      ...finding,
      state: 'unknown',
      evidence: `no template explains the bodies of ${finding.observations} errors`,
    }
  const [why] = learned?.doubts ?? []
  if (learned === null || why === undefined) return finding
  const decide = 'errors of another status, and with other wrong fields'
  if (learned.isOpen === true && (finding.state === 'known' || finding.state === 'likely'))
    return undecided(finding, { evidence: `${finding.evidence}; ${why}`, decide })
  if (finding.state !== 'known') return finding
  return { ...finding, state: 'likely', evidence: `${finding.evidence}; ${why}`, decide }
}

const decided = (learned: LearnedTemplate | null): LearnedTemplate | null =>
  learned?.isOpen === true ? null : learned

/** Errors with a body or a status that no setting explains, by status. */
function strangeErrors(evidence: Evidence): Unexplained[] {
  const { refusals, ...templates } = errorTemplates(evidence)
  const common = decided(templates.common)
  const validation = decided(templates.validation)
  const ofInput = new Set(refusals.map(({ status }) => status))
  const explained = new Set(
    seenErrors(evidence)
      .filter((seen) => {
        const own = common?.template ?? null
        const isKnown = ofInput.has(seen.status) || hasTemplate(seen)
        const [first, second] = [validation?.template ?? own, own]
        return isKnown && (explains(first, seen) || explains(second, seen) || hasDefaultForm(seen))
      })
      .map(({ call }) => call),
  )
  const errors = evidence.calls.filter(isOpenError)
  const groups = Map.groupBy(errors, ({ status }) => status ?? 0)
  return [...groups].flatMap(([status, all]): Unexplained[] => {
    const strange = all.filter((call) => !explained.has(call))
    const [first] = strange
    if (first === undefined) return []
    return [
      {
        what: `error body with status ${status}`,
        count: strange.length,
        of: all.length,
        example: `${first.method} ${first.path} answers ${status} ${cut(first.response ?? 'without a body')}`,
        source: first.source,
        remedy: `a fault of a scenario can answer ${status} with a body`,
      },
    ]
  })
}
