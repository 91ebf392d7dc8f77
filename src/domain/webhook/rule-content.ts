import type { Spelling, WebhookTreatment } from '../scenario/scenario.ts'
import { type JsonMembers, mergePatch } from '../text/objects.ts'
import { fillTemplate, fillText, type TemplateValues } from '../text/template.ts'
import type { PlannedFaults } from './faults/faults.ts'
import { payload } from './payload.ts'
import { headerText, type Notice, type PayloadContext, type WebhookEvent } from './payload-values.ts'

/** The normal body of a webhook, with the changes of its rules. */
export function bodyOf(
  news: Notice,
  { patch, spelling }: Pick<WebhookTreatment, 'patch' | 'spelling'>,
  values: () => TemplateValues,
  about: PayloadContext,
): string {
  const right = payload(news, about)
  const patched =
    patch === undefined ? right : patchedBody(right, JSON.parse(fillTemplate(patch, values()) ?? '{}'))
  return spelling === undefined ? patched : respelled(patched, spelling, news.event)
}

/** Patches a body; of a list, each element. */
function patchedBody(text: string, patch: JsonMembers): string {
  const body: unknown = JSON.parse(text)
  if (!Array.isArray(body)) return mergePatch(text, patch)
  return `[${body.map((each) => mergePatch(JSON.stringify(each), patch)).join(',')}]`
}

/** The body that a scenario writes instead of the normal one; undefined for none. */
export function writtenBody(
  { body, template }: Pick<WebhookTreatment, 'body' | 'template'>,
  values: () => TemplateValues,
): string | undefined {
  if (template === undefined) return body
  if (typeof template === 'string') return fillText(template, values())
  return fillTemplate(template, values()) ?? 'null'
}

/** Fills the headers of faults; those that a scenario writes can name values. */
export function filledFaults(
  faults: readonly PlannedFaults[],
  values: () => TemplateValues,
): readonly PlannedFaults[] {
  return faults.map((fault) => {
    const written = Object.entries(fault.headers ?? {})
    if (!written.some(([, text]) => text?.includes('${'))) return fault
    const filled = written.map(([name, text]) => [name, text && headerText(text, values())])
    return { ...fault, headers: Object.fromEntries(filled) }
  })
}

/** Formats a webhook's body differently. A JSON parser reads the same fields, except for an `errorCode` that is null
 *  instead of missing. A body that is no JSON stays unchanged. */
function respelled(body: string, spelling: Spelling, { errorCode }: WebhookEvent): string {
  if (!body.startsWith('{')) return body
  const fields: Readonly<Record<string, unknown>> = JSON.parse(body)
  if (spelling === 'null-error')
    return errorCode === undefined ? JSON.stringify({ ...fields, errorCode: null }) : body
  return JSON.stringify(Object.fromEntries(Object.entries(fields).reverse()), null, 2)
}
