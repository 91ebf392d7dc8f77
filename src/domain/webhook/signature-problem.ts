import { carriesSeveral, isReady, type Recipe, signsTime } from './recipe.ts'
import { secretFields } from './secret.ts'
import { sameText } from './signature.ts'
import { readBack, signaturePart, timeWritten } from './signed-headers.ts'

/** The keys with which a client's webhooks are signed. */
export interface Secrets {
  readonly webhookSecret: string
  /** The webhook secret before the last rotation, as long as it is valid (N70). */
  readonly previousSecret?: string | undefined
  readonly apiSecret: string
}

/** Why the signature of a webhook is refused. */
export interface SignatureProblem {
  /** `time`: the signature was not made within 5 minutes of now. */
  readonly kind: 'missing' | 'wrong' | 'time' | 'unreadable'
  /** Words that continue "signature ...". */
  readonly words: string
}

/** A webhook as it arrived. */
export interface ReceivedMessage {
  readonly body: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The client that it was sent for. */
  readonly clientId: string
}

/** A received webhook, and the webhook URL of its client; null without one. */
export type LocatedMessage = ReceivedMessage & { readonly url: string | null }

/** The clock that the time of a signature is compared with. */
export interface VerifyingClock {
  readonly now: number
  /** The speed of the clock, if it is the client's; undefined for the wall clock. */
  readonly speed?: number | undefined
}

/** The allowed age of a signature, as in Standard Webhooks. */
const toleranceMs = 5 * 60_000

/** Verifies a webhook by the recipe that it was signed by, as a receiver has to.
 *  @returns null if the signature is right */
export function signatureProblem(
  { body, headers, clientId, url }: LocatedMessage,
  recipe: Recipe,
  secrets: Secrets,
  clock: VerifyingClock,
): SignatureProblem | null {
  const needed = neededHeaders(recipe)
  if (needed.some((name) => !headers[name]))
    return { kind: 'missing', words: `missing: ${missingWords(needed)}` }
  const { timestamp = '', id = '' } = readBack(recipe, headers, clientId)
  const timing = signsTime(recipe) ? timeProblem(timestamp, recipe, clock) : null
  if (timing !== null) return timing
  const sent = (headers[recipe.header] ?? '').split(recipe.separator)
  const valid = acceptedSecrets(recipe, secrets).map((secret) =>
    signaturePart(recipe, { id, clientId, body, timestamp, url }, { secret }),
  )
  if (sent.some((part) => valid.some((right) => sameText(part, right)))) return null
  return { kind: 'wrong', words: `wrong: ${wrongWords(recipe)}` }
}

/** The secrets that a receiver has to accept, the present one first. */
export function acceptedSecrets(
  recipe: Recipe,
  { webhookSecret, previousSecret, apiSecret }: Secrets,
): readonly [string, ...string[]] {
  if (recipe.secret === 'api-secret') return [apiSecret]
  return carriesSeveral(recipe) && previousSecret !== undefined
    ? [webhookSecret, previousSecret]
    : [webhookSecret]
}

/** The headers without which nothing can be verified. */
function neededHeaders({ headers, header, signed }: Recipe): string[] {
  const others = Object.entries(headers).filter(([, template]) =>
    ['timestamp', 'id'].some((name) => signed.includes(`\${${name}}`) && template.includes(`\${${name}}`)),
  )
  return [...others.map(([name]) => name), header]
}

function missingWords(names: readonly string[]): string {
  const last = names.at(-1)
  return names.length === 1
    ? `expected in the header ${last}`
    : `${names.slice(0, -1).join(', ')} and ${last} are required`
}

function timeProblem(
  timestamp: string,
  recipe: Recipe,
  { now, speed }: VerifyingClock,
): SignatureProblem | null {
  const name = timestampName(recipe)
  const signedAt = timeWritten(recipe, timestamp)
  if (Number.isNaN(signedAt))
    return { kind: 'unreadable', words: `unreadable: ${name} is ${notATime[recipe.timestamp]}` }
  const aheadMs = signedAt - now
  if (Math.abs(aheadMs) <= toleranceMs * Math.max(1, speed ?? 1)) return null
  const which = aheadMs < 0 ? 'too old' : 'not yet valid'
  const apart = `more than 5 minutes ${aheadMs < 0 ? 'ago' : 'ahead'}`
  const words = speed === undefined ? apart : "not within 5 minutes of the client's clock"
  return { kind: 'time', words: `${which}: ${name} is ${words}` }
}

const notATime = {
  seconds: 'not a number of seconds',
  milliseconds: 'not a number of milliseconds',
  iso: 'not an ISO 8601 time',
} as const

/** The name of the time in messages: its header, or its place in one. */
function timestampName({ headers, header }: Recipe): string {
  const [name = header, template] =
    Object.entries(headers).find(([, text]) => text.includes('${timestamp}')) ?? []
  return template === '${timestamp}' ? name : `the time in ${name}`
}

/** What the signature should have been; for the recipes with a name, their documents say that. */
function wrongWords(recipe: Recipe): string {
  const key = `the client's ${secretFields[recipe.secret]}`
  if (isReady(recipe)) return `it does not match the body and ${key}`
  const { header, signed, algorithm, encoding } = recipe
  return `${header} does not have the HMAC-${algorithm.toUpperCase()} of ${signed} in ${encoding}, keyed with ${key}`
}
