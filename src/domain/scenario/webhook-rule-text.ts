import * as z from 'zod'
import { attemptFaultMembers, attemptFaults } from '../attempt-fault-members.ts'
import type { PlannedFaults } from '../attempt-faults.ts'
import { duration, orderStatusWord, statusWord } from './values.ts'
import type { ExtraWebhook, WebhookRule, WebhookTreatment } from './webhook-rules.ts'

/** As many connections as a receiver gets lead to no more copies in one moment. */
const mostAtOnce = 15
const mostCopies = 50

const treatmentMembers = {
  delay: duration.optional().meta({ description: 'How much later than it should it leaves.' }),
  duplicate: z.int().min(0).max(mostCopies).optional().meta({
    description: 'Further copies, each after the one before has been answered; 1 means that it comes twice.',
  }),
  apart: duration.optional().meta({ description: 'With `duplicate`: from one copy to the next.' }),
  simultaneous: z
    .int()
    .min(0)
    .max(mostAtOnce)
    .optional()
    .meta({ description: 'Further copies in the same moment as the first.' }),
  ids: z
    .enum(['same', 'fresh'])
    .optional()
    .meta({ description: 'The `webhook-id` of copies: the `same` (if left out), or a `fresh` one each.' }),
  body: z.json().optional().meta({
    description: 'Sent instead of the right body, validly signed: a text as it is, others as JSON.',
  }),
  patch: z
    .record(z.string(), z.json())
    .optional()
    .meta({ description: 'Members to change in the body, validly signed; null takes one away.' }),
  ...attemptFaultMembers,
  countAs: z
    .int()
    .min(200)
    .max(599)
    .optional()
    .meta({ description: 'The status that counts, whatever the receiver answers: 500 makes it come again.' }),
  times: z.int().min(1).optional().meta({
    description:
      'How many attempts of each webhook are wrong in headers, signature, wire or answer; the later ones are right.',
  }),
  attempts: z.int().min(1).max(51).optional().meta({ description: 'How often it is tried at most.' }),
}

/** A rule as a file writes it. */
export const webhookRuleText = z
  .strictObject({
    of: statusWord
      .optional()
      .meta({ description: 'The orderStatus whose webhook it is about; every webhook if left out.' }),
    drop: z.boolean().optional().meta({ description: 'It is never sent.' }),
    after: statusWord
      .optional()
      .meta({ description: 'It leaves only once the webhook of this orderStatus has been told.' }),
    early: z
      .boolean()
      .optional()
      .meta({ description: 'It does not wait until the create call has been answered.' }),
    ...treatmentMembers,
  })
  .superRefine((rule, context) => {
    const { of, drop, after, early } = rule
    const tell = teller(context)
    if (Object.keys(rule).every((name) => name === 'of'))
      tell([], 'says nothing of the webhook; write `drop: true`, `delay: 5s`, `duplicate: 1`, ...')
    if (drop === true && Object.keys(rule).some((name) => name !== 'of' && name !== 'drop'))
      tell(['drop'], 'what is never sent can have nothing else about it; leave the rest out')
    if (after !== undefined && after === of) tell(['after'], `${after} would wait for itself`)
    if (after === 'CREATED') tell(['after'], 'CREATED is told first of all; leave this out')
    if (early === true && (of ?? 'CREATED') !== 'CREATED')
      tell(['early'], `only CREATED waits for the answer of the create call, ${of} does not`)
    checkTreatment(rule, tell)
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

/** An extra webhook as a step writes it. */
export const extraWebhookText = z
  .strictObject({
    status: orderStatusWord
      .optional()
      .meta({ description: 'The orderStatus it claims; the one that the order has if left out.' }),
    ...treatmentMembers,
  })
  .superRefine((webhook, context) => checkTreatment(webhook, teller(context)))
  .transform(({ status, ...rest }): ExtraWebhook => ({ status: status ?? null, ...treatment(rest) }))

type TreatmentText = z.output<z.ZodObject<typeof treatmentMembers>>
type Tell = (path: readonly string[], message: string) => void

const teller =
  (context: z.RefinementCtx): Tell =>
  (path, message) =>
    context.addIssue({ code: 'custom', path: [...path], message })

/** What no member can tell alone. */
function checkTreatment(text: TreatmentText, tell: Tell): void {
  if (text.body !== undefined && text.patch !== undefined)
    tell(['patch'], 'a body that is replaced has nothing to patch; write `body` or `patch`')
  if (text.sign === 'old' && text.timestamp !== undefined)
    tell(['timestamp'], '`sign: old` shifts it already; write one of the two')
  if (text.apart !== undefined && !text.duplicate) tell(['apart'], 'goes with `duplicate` only')
  if (text.ids !== undefined && !text.duplicate && !text.simultaneous)
    tell(['ids'], 'goes with `duplicate` or `simultaneous` only')
  if (text.times !== undefined && Object.keys(faultsOf(text)).length === 0)
    tell(['times'], `goes with what is wrong with attempts: ${attemptMembers.join(', ')}`)
}

const attemptMembers = [...Object.keys(attemptFaultMembers), 'countAs']

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
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(patch !== undefined && { patch }),
    ...(attempts !== undefined && { attempts }),
    ...(isFaulty && { faults: { ...faults, ...(times !== undefined && { times }) } }),
  }
}

const faultsOf = (text: TreatmentText): PlannedFaults => ({
  ...attemptFaults(text),
  ...(text.countAs !== undefined && { countAs: text.countAs }),
})
