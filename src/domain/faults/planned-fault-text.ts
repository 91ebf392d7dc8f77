import * as z from 'zod'
import { callWords } from '../journal/call-words.ts'
import { requestId } from '../order/ids.ts'
import { likelyTypo } from '../order/statuses.ts'
import { duration } from '../text/duration-schema.ts'
import { issueWords, ticked } from '../text/issue-words.ts'
import { anyJson, describeInteger } from '../text/json-text.ts'
import { check, type Problem } from '../text/problems.ts'
import { type EpochMs, moment } from '../text/time.ts'
import type { Where } from '../text/where.ts'
import { faultStages } from './answer/answer-fault.ts'
import { contradictions, effectText, readEffect } from './answer/answer-faults.ts'
import type { AskedFault, FaultAction } from './planned-fault.ts'
import { deliveryEffectText } from './planned-fault.ts'

/** Parses the effect of a fault into its action, or reports all problems. The target of the fault decides which
 *  fields are allowed. */
export function parseFaultAction(
  asked: AskedFault,
): { deed: FaultAction } | { problems: readonly Problem[] } {
  const foreign = asked.on === 'delivery' ? notOfDeliveries : notOfCalls
  const wrong = Object.keys(asked.effect).filter((name) => Object.hasOwn(foreign, name))
  if (wrong.length > 0) return { problems: wrong.map((name) => problem(name, foreign[name] ?? '')) }
  return asked.on === 'delivery' ? attemptDeed(asked) : callDeed(asked, asked.on)
}

function attemptDeed({ effect }: AskedFault): ReturnType<typeof parseFaultAction> {
  const read = check(deliveryEffectText, effect)
  return read.ok ? { deed: { attempts: read.value } } : read
}

function callDeed(
  { effect, when, skip, times }: AskedFault,
  on: Exclude<AskedFault['on'], 'delivery'>,
): ReturnType<typeof parseFaultAction> {
  const read = check(effectText, effect)
  if (!read.ok) return read
  const stage = when ?? 'before'
  const words = typeof on === 'string' ? [on] : on
  const against = contradictions(read.value, { on: words, when: stage })
  if (against.length > 0) return { problems: against.map(([member, message]) => problem(member, message)) }
  return {
    deed: { calls: { on: words, when: stage, effect: readEffect(read.value), skip, times, forMs: null } },
  }
}

const problem = (name: string, message: string): Problem => ({ path: [name], message })

const notOfCalls: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...['drop', 'duplicate', 'apart', 'sign', 'signatures', 'signatureVersions'],
    ...['timestamp', 'tamper', 'truncate', 'countAs'],
  ].map((name) => [name, 'is an effect on deliveries; it needs `on: delivery`']),
)

/** Fields that a fault of deliveries rejects, with the reason: they are for calls only, or impossible once a webhook
 *  is on its way. */
const notOfDeliveries: Readonly<Record<string, string>> = {
  body: 'a webhook has the same bytes in every attempt; use POST /_emulator/deliveries to send any body',
  patch: 'a webhook has the same bytes in every attempt; use POST /_emulator/deliveries to send any body',
  simultaneous:
    'only a scenario can send copies at the same time; here, use `duplicate` to send the webhook again',
  ids: 'only a scenario can give copies their own ids',
  after: 'only a scenario can change the order of webhooks; here, use `delay` to make one late',
  early: 'only a scenario can send CREATED before the create call is answered',
  attempts: 'only a scenario can set this; here, use `times` for the number of wrong attempts',
  of: 'use `where: { orderStatus }` beside the effect',
  times: 'belongs beside the effect, not in it',
  status: 'is an effect on calls; for a delivery, use `countAs` to set the status that counts',
  hang: 'is an effect on calls; for a delivery, use `delay` to make it late',
  reset: 'is an effect on calls; for a delivery, use `cut: "end"` to break it off before an answer',
  retryAfter: 'is an effect on calls',
  stale: 'is an effect on lookups; a webhook has the same bytes in every attempt',
}

/** A fault in the form that `POST /_emulator/faults` accepts. */
export interface FaultRequest {
  /** The client of the fault; null for all clients, undefined if left out. */
  readonly clientId: string | null | undefined
  readonly asked: AskedFault
  readonly does: FaultAction
  /** The duration of the fault; null if left out. */
  readonly forMs: number | null
  readonly until: EpochMs | null
}

const most = 1_000_000
/** The maximum size of an effect as JSON: planned faults are stored in memory. */
const largestEffect = 64 * 1024
const text = z.string().min(1).max(200).optional()

const count = z
  .int({
    error: ({ input }) =>
      typeof input === 'string'
        ? 'expected a whole number, or null for no limit until `for` or `until`'
        : undefined,
  })
  .max(most)
const orderStatus = text.refine(
  (status) => status === undefined || status.endsWith('*') || likelyTypo(status) === undefined,
  {
    error: ({ input }) => likelyTypo(String(input)),
  },
)

const members = z.strictObject({
  clientId: z.string().min(1).nullable().optional().meta({
    description: 'The client whose calls or deliveries are affected; all clients if left out or null.',
  }),
  on: z.union([z.enum([...callWords, 'delivery']), z.array(z.enum(callWords)).min(1).max(20)]).meta({
    description: 'An operation, a list of operations, or `delivery`; create-order means both create calls.',
  }),
  where: z
    .strictObject({
      requestId: requestId.optional(),
      orderId: text,
      kind: text,
      orderStatus,
      orderType: text,
      eventType: text,
      id: text,
    })
    .default({})
    .meta({
      description:
        'Selects calls or deliveries: fields that must be equal; a text may end in `*`. Calls have requestId, and the orderId and ' +
        'kind of their orders; deliveries have all fields except kind.',
    }),
  when: z.enum(faultStages).optional().meta({
    description:
      'unchecked: before any check. before (default): after the checks, before anything is stored. stored: after everything is stored. Not for deliveries.',
  }),
  effect: z.record(z.string(), anyJson).meta({
    description: 'The effect, written as in scenario files.',
    // Only the generated documents need this, so no start builds it.
    get anyOf() {
      return [
        { title: 'effect on a call', ...inputSchema(effectText) },
        { title: 'effect on a delivery', ...inputSchema(deliveryEffectText) },
      ]
    },
  }),
  times: count.min(1).nullable().optional().meta({
    description:
      'How often the fault happens: once if there is no `for` or `until`; null for no limit until `for` or `until`.',
  }),
  nth: z.int().min(1).max(most).optional().meta({ description: 'Only the n-th match, from 1.' }),
  skip: z.int().min(0).max(most).optional().meta({ description: 'Ignores this many matches first.' }),
  for: z
    .string({ error: ({ input }) => (input === undefined ? undefined : durationProblem(input)) })
    .refine((written) => duration.safeParse(written).success, {
      error: ({ input }) => durationProblem(input),
    })
    .optional()
    .meta({ description: 'How long the fault stays active from now on, on the client’s clock: `2m`.' }),
  until: moment
    .optional()
    .meta({ description: 'The end of the fault on the client’s clock: ISO 8601 or milliseconds.' }),
  probability: z.number().gt(0).max(1).optional().meta({
    description: 'The probability for each match; the seed decides, so that a run can be repeated.',
  }),
})

const durationProblem = (input: unknown): string | undefined =>
  duration.safeParse(input, { error: issueWords }).error?.issues[0]?.message

type Members = z.output<typeof members>

/** Schema of `POST /_emulator/faults`; it reads a request into a `FaultRequest`. */
export const faultRequest = members
  .superRefine((fault, context) => {
    const report = (member: string, message: string) =>
      context.addIssue({ code: 'custom', path: [member], message })
    for (const [member, message] of limitProblems(fault)) report(member, message)
    if (JSON.stringify(fault.effect).length > largestEffect) report('effect', 'is larger than 64 KiB')
    if (fault.on === 'delivery' && fault.when !== undefined)
      report('when', 'is only for calls, not for deliveries')
    const [known, thing] = fault.on === 'delivery' ? [ofDeliveries, 'delivery'] : [ofCalls, 'call']
    for (const name of Object.keys(fault.where)) {
      if (!known.includes(name))
        report('where', `a ${thing} has no ${ticked(name)}; it has ${known.join(', ')}`)
    }
  })
  .transform((fault, context): FaultRequest => {
    const asked = askedOf(fault)
    const read = parseFaultAction(asked)
    if ('problems' in read) {
      for (const { path, message } of read.problems)
        context.addIssue({ code: 'custom', path: ['effect', ...path], message })
      return z.NEVER
    }
    return {
      clientId: fault.clientId,
      asked,
      does: read.deed,
      forMs: fault.for === undefined ? null : duration.parse(fault.for),
      until: fault.until ?? null,
    }
  })
  .meta({ id: 'FaultRequest', example: { on: 'orders', effect: { status: 503 }, times: 1 } })

const ofCalls: readonly string[] = ['requestId', 'orderId', 'kind']
const ofDeliveries: readonly string[] = [
  'requestId',
  'orderId',
  'orderStatus',
  'orderType',
  'eventType',
  'id',
]

function* limitProblems({ times, nth, skip, for: length, until }: Members): Iterable<[string, string]> {
  if (nth !== undefined && times !== undefined)
    yield ['nth', 'means one call; leave `times` out, or use `skip`']
  if (nth !== undefined && skip !== undefined) yield ['nth', 'cannot be combined with `skip`']
  if (length !== undefined && until !== undefined)
    yield ['until', 'cannot be combined with `for`: both set the end']
  if (times === null && length === undefined && until === undefined)
    yield ['times', 'null has no end; add `for` or `until`, or give a number']
}

function askedOf({ on, where, when, effect, times, nth, skip, ...fault }: Members): AskedFault {
  const endless = fault.for === undefined && fault.until === undefined
  const often = times === undefined ? (endless ? 1 : null) : times
  return {
    on,
    where: stated(where),
    when: on === 'delivery' ? null : (when ?? 'before'),
    effect,
    skip: nth === undefined ? (skip ?? 0) : nth - 1,
    times: nth === undefined ? often : 1,
    for: fault.for ?? null,
    probability: fault.probability ?? null,
  }
}

function stated(where: Members['where']): Where {
  return Object.fromEntries(
    Object.entries(where).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** The JSON Schema of an effect, for documents. References become `{}`, because a part of a document cannot contain
 *  the recursive schema of any JSON. */
function inputSchema(schema: z.ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => describeInteger(jsonSchema),
  })
  const plain = (name: string, value: unknown) =>
    name === '$defs' ? undefined : value instanceof Object && '$ref' in value ? {} : value
  return JSON.parse(JSON.stringify(rest, plain))
}
