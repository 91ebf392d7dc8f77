import { eliminate, type Sight } from '../../elimination/eliminate.ts'
import type { Claims, Finding } from '../../elimination/finding.ts'
import { fieldsOf } from '../../evidence/read-call.ts'
import type { SeenEvent } from '../../webhook/events.ts'
import { placeWords } from '../../webhook/leaves.ts'
import {
  type Bodies,
  bodiesIn,
  compared,
  comparedToClaim,
  type FixedForm,
  fixedForms,
} from '../../webhook/reading.ts'
import { readTemplateText } from '../../webhook/template-text.ts'
import type { Rule } from '../rule.ts'

/** The form of webhook bodies. Further fields contradict no form; missing ones do. */
export const webhookFormat: Rule = {
  settings: ['webhook.format'],
  learn: (evidence, { claims }) => [formatFinding(bodiesIn(evidence), claims)],
}

function formatFinding(bodies: Bodies, claims: Claims): Finding {
  const { plain, form, isToken } = bodies
  const found = isToken ? 'jwt' : form
  const all = plain.map((event) => sightOf(event, bodies, claims))
  // Bodies that the form of most does not explain are faults.
  const sights = found === null ? all : all.filter(({ allows }) => allows(found))
  const finding = eliminate(
    {
      setting: 'webhook.format',
      candidates: ['flat', 'envelope', 'jwt', 'template'],
      sights,
      evidence: (value) => `${sights.length} of ${plain.length} webhooks: ${wordsFor(value, bodies)}`,
      decide: 'a webhook about an order that the capture shows',
      nothing: 'no webhook in the capture is about an order that it shows',
    },
    claims,
  )
  if (bodies.list !== 'single' || finding.value !== 'template' || !hasFixedElements(bodies)) return finding
  return {
    ...finding,
    ...{ state: 'unknown', left: ['template', 'flat', 'envelope'] },
    evidence: 'each body is a list of one event, which a template and `webhook.batch` can both make',
    decide: 'two events in one second',
  }
}

function wordsFor(value: unknown, { form, ofOrders }: Bodies): string {
  if (value === 'jwt') return 'the body has a token with the event'
  if (value === 'flat') return 'the fields of an event are in the body itself'
  if (value === 'envelope') return 'the order is in the field `data`'
  const [first] = ofOrders.places
  return `other fields than ${form === 'template' ? 'those of `flat` and `envelope`' : 'these'}, such as \`${placeWords(first?.key ?? '[]')}\``
}

function sightOf(event: SeenEvent, bodies: Bodies, claims: Claims): Sight {
  const { isToken, form } = bodies
  const misfits = (of: FixedForm) => compared(fixedForms[of], event, bodies).misfits
  const claimed = readTemplateText(claims.get('webhook.template'))
  const isFixed = (value: unknown): value is FixedForm => value === 'flat' || value === 'envelope'
  return {
    source: event.source,
    unit: event.unit,
    words: `the body has the form \`${isToken ? 'jwt' : form}\``,
    allows: (value) => {
      if (value === 'jwt') return isToken
      if (isFixed(value)) return !isToken && form !== null && isLike(value, form, misfits(value))
      if (value !== 'template' || isToken) return false
      return (
        form === 'template' ||
        (claimed !== undefined && comparedToClaim(claimed, event, bodies).misfits.length === 0)
      )
    },
  }
}

/** Whether a body has a fixed form. One that a template explains better is still no contradiction to a claim, but no
 *  candidate either: its fields would remain unexplained. */
function isLike(value: FixedForm, form: Bodies['form'], misfits: readonly string[]): boolean {
  return form === 'template' ? false : misfits.length === 0 && (form === value || form === null)
}

/** Whether the elements of lists have a fixed form. */
const hasFixedElements = ({ lists }: Bodies): boolean =>
  lists.every(({ elements }) =>
    elements.every((element) => {
      const names = Object.keys(fieldsOf(element))
      return (
        ['requestId', 'orderId', 'orderStatus', 'eventType'].every((name) => names.includes(name)) ||
        ['requestId', 'type', 'data'].every((name) => names.includes(name)) ||
        names.length === 1
      )
    }),
  )
