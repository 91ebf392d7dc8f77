import * as z from 'zod'
import { type Client, isRotating } from '../../client/client.ts'
import type { AllOf, Plain } from '../../text/objects.ts'
import type { Problem } from '../../text/problems.ts'
import type { EpochMs } from '../../text/time.ts'
import type { Recipe } from '../recipe.ts'
import { foreignFor } from '../secret.ts'
import { acceptedSecrets } from '../signature-problem.ts'
import { countAs } from './count-as.ts'
import { cut } from './cut.ts'
import { drop } from './drop.ts'
import { duplicate } from './duplicate.ts'
import type { Headers, Signing, WireBody } from './fault.ts'
import { headers } from './headers.ts'
import { lost } from './lost.ts'
import { pause } from './pause.ts'
import { sign } from './sign.ts'
import { signatures } from './signatures.ts'
import { tamper } from './tamper.ts'
import { timestamp } from './timestamp.ts'
import { truncate } from './truncate.ts'

/** Faults with the same fields in scenario rules, in planned faults and in webhooks sent by hand. */
const written = [headers, signatures, sign, timestamp, tamper, truncate, cut] as const

/** All faults of webhook attempts, in the order in which they take effect. To add one, write a file like `cut.ts`
 *  and list it here. */
const faults = [...written, pause, lost, drop, countAs, duplicate] as const

const stored: AllOf<(typeof faults)[number]['stored']> = Object.assign(
  {},
  ...faults.map(({ stored }) => stored),
)

/** Schemas of the faults' fields as people write them; `readFaults` reads them. */
export const faultFields: AllOf<(typeof written)[number]['written']> = Object.assign(
  {},
  ...written.map(({ written }) => written),
)

export const plannedFaultFields = {
  ...drop.written,
  ...duplicate.written,
  ...faultFields,
  ...countAs.written,
}

/** The faults of single attempts of a webhook; a field that is left out means a normal attempt. */
export type AttemptFaults = Plain<z.ZodObject<typeof stored>>

/** Schema of the faults of a delivery's first attempts, or of one attempt. */
export const plannedFaults = z.strictObject({
  ...stored,
  times: z.int().optional().meta({ description: 'The number of affected attempts; all if left out.' }),
  attempt: z.int().optional().meta({ description: 'The only affected attempt.' }),
  fault: z.string().optional().meta({ description: 'The id of the planned fault that caused it.' }),
})

export type PlannedFaults = Plain<typeof plannedFaults>

/** Reads the fault fields that people write; missing fields stay missing. */
export function readFaults(fields: z.output<z.ZodObject<typeof faultFields>>): AttemptFaults {
  let read: AttemptFaults = {}
  for (const fault of written) read = { ...read, ...fault.read(fields) }
  return defined(read)
}

/** Finds contradictions between the fault fields that people write. */
export function faultProblems(fields: z.output<z.ZodObject<typeof faultFields>>): readonly Problem[] {
  const problems = written.flatMap((fault) => fault.problems?.(fields) ?? [])
  const contradicts = fields.signatures !== undefined && (fields.sign === false || fields.sign === 'wrong')
  if (!contradicts) return problems
  const message = '`signatures` already says how the webhook is signed; use only one of the two'
  return [...problems, { path: ['sign'], message }]
}

/** Reads the fields of a planned fault, whose effect may also cover the delivery as a whole. */
export const readPlannedFaults = (fields: z.output<z.ZodObject<typeof plannedFaultFields>>): AttemptFaults =>
  defined({ ...readFaults(fields), ...countAs.read(fields), ...drop.read(fields), ...duplicate.read(fields) })

/** Describes an attempt with these faults for people, in sentences. */
export const faultSentences = (attempt: AttemptFaults): string[] =>
  faults.flatMap((fault) => fault.sentences(attempt))

/** Returns the inputs of the signatures of an attempt, changed by its faults. Where a fault needs a previous secret
 *  that the client does not have, it gets one that the client never had.
 *  @param now the time of the attempt on the client's clock, until which a previous secret may be valid (N70) */
export function signingWith(
  attempt: AttemptFaults,
  client: Pick<Client, 'webhookSecret' | 'previousWebhookSecret' | 'apiSecret'>,
  recipe: Recipe,
  now: EpochMs,
): Signing {
  const known = client.previousWebhookSecret?.secret
  const valid = acceptedSecrets(recipe, {
    ...client,
    previousSecret: isRotating(client, now) ? known : undefined,
  })
  const [current] = valid
  const foreign = foreignFor(recipe, current)
  const previous = known ?? foreignFor(recipe, foreign)
  let signing: Signing = {
    secrets: { current, previous, foreign },
    signatures: valid.map((secret) => ({ secret })),
    ...{ recipe, shiftMs: 0, signed: true },
  }
  for (const fault of faults) signing = fault.signing?.(signing, attempt) ?? signing
  return signing
}

/** Returns the headers of an attempt, changed by its faults after signing. */
export function headersWith(attempt: AttemptFaults, signed: Headers): Headers {
  let headers = signed
  for (const fault of faults) headers = fault.headers?.(headers, attempt) ?? headers
  return headers
}

/** Returns the bytes of an attempt's body, changed by its faults. */
export function bodyWith(attempt: AttemptFaults, text: string): WireBody {
  const sent = Buffer.from(text)
  let body: WireBody = { sent, announced: sent.length }
  for (const fault of faults) body = fault.body?.(body, attempt) ?? body
  return body
}

function defined(faults: AttemptFaults): AttemptFaults {
  for (const [name, value] of Object.entries(faults))
    if (value === undefined) Reflect.deleteProperty(faults, name)
  return faults
}
