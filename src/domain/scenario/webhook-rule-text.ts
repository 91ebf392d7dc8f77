import * as z from 'zod'
import type { JsonValue } from '../text/objects.ts'
import { hasPlaceholder, unknownIn } from '../text/template.ts'
import { mostCopies } from '../webhook/faults/duplicate.ts'
import type { PlannedFaults } from '../webhook/faults/faults.ts'
import { faultFields, faultProblems, readFaults } from '../webhook/faults/faults.ts'
import { webhookPlaceholders } from '../webhook/payload-template.ts'
import type { ExtraWebhook, WebhookRule, WebhookTreatment } from './scenario.ts'
import { duration, orderStatusWord, statusWord } from './values.ts'

/** A receiver gets 16 connections, so more copies could not arrive at the same time. */
const mostAtOnce = 15

const treatmentMembers = {
  delay: duration.optional().meta({ description: 'Delays the webhook by this time.' }),
  duplicate: z.int().min(0).max(mostCopies).optional().meta({
    description:
      'The number of further copies, each sent after the previous one was answered; 1 means that the webhook arrives twice.',
  }),
  apart: duration.optional().meta({ description: 'With `duplicate`: the time between two copies.' }),
  simultaneous: z
    .int()
    .min(0)
    .max(mostAtOnce)
    .optional()
    .meta({ description: 'The number of further copies at the same time as the first.' }),
  ids: z
    .enum(['same', 'fresh'])
    .optional()
    .meta({ description: 'The `webhook-id` of the copies: the `same` (default), or a `fresh` one each.' }),
  body: z.json().optional().meta({
    description:
      'Sent instead of the normal body, with a valid signature: a text as it is, other values as JSON. Both can name values as `webhook.template` does: `${requestId}`.',
  }),
  patch: z.record(z.string(), z.json()).optional().meta({
    description:
      'Fields to change in the body, with a valid signature; null removes a field. They can name values: `${requestId}`. If the body is a list, they change its elements.',
  }),
  ...faultFields,
  countAs: z
    .int()
    .min(200)
    .max(599)
    .optional()
    .meta({ description: 'The status that counts instead of the receiver’s answer: 500 causes a retry.' }),
  times: z.int().min(1).optional().meta({
    description:
      'How many attempts of each webhook have faulty headers, signature, transmission or answer; later attempts are normal.',
  }),
  attempts: z.int().min(1).max(51).optional().meta({ description: 'The maximum number of attempts.' }),
}

/** The schema of a rule about webhooks, as scenario files write it. */
export const webhookRuleText = z
  .strictObject({
    of: statusWord
      .optional()
      .meta({ description: 'The orderStatus of the affected webhook; every webhook if left out.' }),
    drop: z.boolean().optional().meta({ description: 'The webhook is never sent.' }),
    after: statusWord
      .optional()
      .meta({ description: 'Sends the webhook only after the webhook of this orderStatus.' }),
    early: z
      .boolean()
      .optional()
      .meta({ description: 'Sends the webhook before the create call is answered.' }),
    ...treatmentMembers,
  })
  .superRefine((rule, context) => {
    const { of, drop, after, early } = rule
    const report = eventKey(context)
    if (Object.keys(rule).every((name) => name === 'of'))
      report([], 'does not change the webhook; write `drop: true`, `delay: 5s`, `duplicate: 1`, ...')
    if (drop === true && Object.keys(rule).some((name) => name !== 'of' && name !== 'drop'))
      report(['drop'], 'a webhook that is never sent can have no other rules; remove the rest')
    if (after !== undefined && after === of) report(['after'], `${after} would wait for itself`)
    if (after === 'CREATED') report(['after'], 'CREATED is always the first webhook; leave this out')
    if (early === true && (of ?? 'CREATED') !== 'CREATED')
      report(['early'], `only CREATED waits for the answer of the create call; ${of} does not`)
    checkTreatment(rule, report)
  })
  .transform(
    ({ of, drop, after, early, ...rest }): WebhookRule => ({
      ...(of !== undefined && { of }),
      ...(drop !== undefined && { drop }),
      ...(after !== undefined && { after }),
      ...(early !== undefined && { early }),
      ...treatment(rest),
    }),
  )

/** The schema of an extra webhook, as a scenario step writes it. */
export const extraWebhookText = z
  .strictObject({
    status: orderStatusWord
      .optional()
      .meta({ description: 'The orderStatus in the webhook; the current one of the order if left out.' }),
    ...treatmentMembers,
  })
  .superRefine((webhook, context) => checkTreatment(webhook, eventKey(context)))
  .transform(({ status, ...rest }): ExtraWebhook => ({ status: status ?? null, ...treatment(rest) }))

type TreatmentText = z.output<z.ZodObject<typeof treatmentMembers>>
type ReportProblem = (path: readonly PropertyKey[], message: string) => void

const eventKey =
  (context: z.RefinementCtx): ReportProblem =>
  (path, message) =>
    context.addIssue({ code: 'custom', path: [...path], message })

/** Checks rules across fields. */
function checkTreatment(text: TreatmentText, report: ReportProblem): void {
  if (text.body !== undefined && text.patch !== undefined)
    report(['patch'], 'a replaced body has nothing to patch; write `body` or `patch`')
  if (text.sign === 'old' && text.timestamp !== undefined)
    report(['timestamp'], '`sign: old` already shifts the timestamp; use only one of the two')
  for (const { path, message } of faultProblems(text)) report(path, message)
  for (const { path, value } of placesOf(text))
    for (const message of unknownIn(JSON.stringify(value) ?? '', webhookPlaceholders)) report(path, message)
  if (text.apart !== undefined && !text.duplicate) report(['apart'], 'needs `duplicate`')
  if (text.ids !== undefined && !text.duplicate && !text.simultaneous)
    report(['ids'], 'needs `duplicate` or `simultaneous`')
  if (text.times !== undefined && Object.keys(faultsOf(text)).length === 0)
    report(['times'], `needs a fault of attempts: ${attemptMembers.join(', ')}`)
}

/** The places of a rule that can name values. */
const placesOf = ({ body, patch, headers = {} }: TreatmentText) => [
  { path: ['body'], value: body },
  { path: ['patch'], value: patch },
  ...Object.entries(headers).map(([name, value]) => ({ path: ['headers', name], value })),
]

const attemptMembers = [...Object.keys(faultFields), 'countAs']

function treatment(text: TreatmentText): WebhookTreatment {
  const { delay, duplicate, apart, simultaneous, ids, body, patch, attempts, times } = text
  const faults = faultsOf(text)
  const isFaulty = Object.keys(faults).length > 0
  return {
    ...(delay !== undefined && { delayMs: delay }),
    ...(duplicate !== undefined && { duplicate }),
    ...(apart !== undefined && { apartMs: apart }),
    ...(simultaneous !== undefined && { simultaneous }),
    ...(ids !== undefined && { freshIds: ids === 'fresh' }),
    ...(body !== undefined && bodyOf(body)),
    ...(patch !== undefined && { patch }),
    ...(attempts !== undefined && { attempts }),
    ...(isFaulty && { faults: { ...faults, ...(times !== undefined && { times }) } }),
  }
}

/** The compiled body of a rule, which is stored as a template only if it names values. */
function bodyOf(body: JsonValue): Pick<WebhookTreatment, 'body' | 'template'> {
  if (hasPlaceholder(body)) return { template: body }
  return { body: typeof body === 'string' ? body : JSON.stringify(body) }
}

const faultsOf = (text: TreatmentText): PlannedFaults => ({
  ...readFaults(text),
  ...(text.countAs !== undefined && { countAs: text.countAs }),
})
