import * as z from 'zod'
import { readSettings } from '../../../domain/choices.ts'
import { headerText, webhookSecret } from '../../../domain/credentials.ts'
import { operations } from '../../../domain/journal-entry.ts'
import { lastMoment } from '../../../domain/moment.ts'
import { orderKinds } from '../../../domain/order.ts'
import { faultStages } from '../../../domain/scenario/answer-rules.ts'
import { webhookUrl } from '../../../domain/webhook-url.ts'

// What the database itself does not know of its columns. Only for snapshots: whatever else is written has been checked
// where it came in.

const at = z.int().min(-lastMoment).max(lastMoment)
const duration = z.number().min(0).max(lastMoment)
const text = z.string()
const texts = z.record(z.string(), z.string())
const amount = text.regex(/^\d+(\.\d+)?$/, 'must be an amount')
const outcome = z.enum(['accepted', 'refused', 'timeout', 'connection', 'unknown'])
const named = z.looseObject({ errorCode: text, errorDesc: text })

const settings = (scope: 'common' | 'client' | 'order') =>
  z.unknown().superRefine((value, context) => {
    const reading = readSettings(value, { scope, nulls: 'remove' })
    if (reading.ok) return
    for (const { path, message } of reading.problems)
      context.addIssue({ code: 'custom', path: [...path], message })
  })

const step = z.looseObject({ when: z.looseObject({}), effects: z.array(z.looseObject({ do: text })) })

/** A scenario as it is stored; what it is made of, and not each word of it. */
export const storedScenario = z.looseObject({
  id: text,
  description: text,
  for: z.array(text).nullable(),
  timeline: z.array(step),
  charges: z.array(z.looseObject({ from: z.int(), status: text })),
  begin: z.looseObject({}).nullable(),
  webhooks: z.array(z.looseObject({})),
  answers: z.array(z.looseObject({})),
  random: z.looseObject({}).nullable(),
  settings: settings('order'),
  trialMs: z.number().nullable(),
})

/** Columns that hold JSON: what it must be. A column that is not named here holds any object or list. */
export const jsonShapes: Readonly<Record<string, z.ZodType>> = {
  'world.settings': settings('common'),
  'clients.settings': settings('client'),
  'clients.holds': z.array(texts),
  'orders.error_reason': named,
  'orders.request': z.record(z.string(), z.union([text, texts])),
  'orders.terms': z.looseObject({ onExpiry: z.enum(['keep', 'fail', 'abandon']) }),
  'orders.refunds': z.array(z.looseObject({ refundId: text, fiatAmount: amount, status: text, at })),
  'orders.refund_error': named.extend({ at }),
  'orders.crypto': z.looseObject({ shown: z.boolean().nullable(), status: text.nullable() }),
  'orders.lookups': z.record(z.string(), z.int()),
  'orders.subscription': z.looseObject({
    anchor: at.nullable(),
    second: at.nullable(),
    next: z.int(),
    nextAt: at.nullable(),
    cancelled: z.boolean(),
  }),
  'orders.history': z.array(z.looseObject({ at, what: text })),
  'deliveries.plan': z.looseObject({
    settings: settings('order').optional(),
    faults: z.array(z.looseObject({})).optional(),
    attempts: z.int().optional(),
    delayMs: at.optional(),
  }),
  'faults.fault': z.looseObject({
    asked: z.looseObject({
      on: z.union([text, z.array(text)]),
      where: texts,
      when: z.enum(faultStages).nullable(),
      effect: z.record(text, z.json()),
      skip: z.int().min(0),
      times: z.int().min(1).nullable(),
      for: text.nullable(),
      probability: z.number().nullable(),
    }),
    ends: z
      .looseObject({ at, of: z.record(text, at), wallAt: at, forMs: z.number().min(0).optional() })
      .nullable(),
  }),
  'deliveries.request_headers': texts,
  'attempts.request_headers': texts,
  'requests.headers': texts,
  'requests.notes': z.array(text),
  'requests.diagnosis': z.looseObject({ cause: text, message: text }),
}

/** Other columns of which not every value is right. */
export const shapes: Readonly<Record<string, z.ZodType>> = {
  'clients.client_id': headerText,
  'clients.api_secret': text.min(1).max(1000),
  'clients.access_token': headerText,
  'clients.webhook_secret': webhookSecret,
  'clients.webhook_url': webhookUrl.nullable(),
  'clients.default_scenario': text.min(1),
  'clients.clock_mode': z.enum(['real', 'manual']),
  'clients.clock_speed': z.number().min(0).max(1_000_000),
  'clients.clock_anchor': at.min(0),
  'clients.planned_faults': z.int().min(0),
  'clients.began_at': at,
  'world.planned_faults': z.int().min(0),
  'orders.kind': z.enum(orderKinds),
  'orders.fiat_amount': amount,
  'orders.crypto_amount': amount,
  'orders.received_amount': amount.nullable(),
  'orders.next_step': z.int().min(0),
  'orders.next_due_at': at.min(0).nullable(),
  'bindings.remaining': z.int().min(0),
  'deliveries.status': z.enum(['pending', 'delivered', 'dead', 'skipped', 'held']),
  'deliveries.outcome': outcome.nullable(),
  'deliveries.attempt_ms': duration.nullable(),
  'attempts.ms': duration.nullable(),
  'requests.ms': duration,
  'requests.operation': z.enum(operations).nullable(),
  'attempts.outcome': outcome,
}
