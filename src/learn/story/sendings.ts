import type { Settings } from '../../domain/choices/settings.ts'
import { tolerableMs } from '../../domain/keep/attempt-chains.ts'
import type { EpochMs } from '../../domain/text/time.ts'
import type { PlannedFaults } from '../../domain/webhook/faults/faults.ts'
import { type ReadEvent, readEvents } from '../../domain/webhook/read-events.ts'
import { type Recipe, recipeOf } from '../../domain/webhook/recipe.ts'
import { nextAttemptAt, retryAfterMs, retryPolicy } from '../../domain/webhook/retry.ts'
import { signatureProblem } from '../../domain/webhook/signature-problem.ts'
import type { Secrets, SeenWebhook } from '../evidence/evidence.ts'
import { parsedJson } from '../evidence/parsed-json.ts'
import type { Exchange } from '../traffic/exchange.ts'

/** A webhook as it was sent once, with the repetitions that follow from the answers of the application. */
export interface Sending {
  readonly attempts: readonly [SentAttempt, ...SentAttempt[]]
  /** The first attempts that were repeated although the application had accepted them. */
  readonly countedAsFailed: number
  /** Whether repetitions stopped before the schedule was used up. */
  readonly endsEarly: boolean
}

export interface SentAttempt {
  readonly exchange: Exchange
  readonly at: EpochMs
  readonly isAccepted: boolean
  /** How the service or the network spoilt the attempt. */
  readonly faults: PlannedFaults
}

/** A webhook with everything that the capture shows of it. */
export interface Message {
  /** What it says; null if the settings do not explain its body. */
  readonly event: ReadEvent | null
  /** Its body as it was meant. */
  readonly body: string
  readonly sendings: readonly [Sending, ...Sending[]]
  /** Whether no attempt had a valid signature, as far as that can be told. */
  readonly isForged: boolean
}

/** What is known about how webhooks are sent and signed. */
export interface Sender {
  readonly settings: Settings
  readonly secrets: Secrets
  readonly clientId: string
  /** The time of the last exchange: later attempts cannot be in the capture. */
  readonly until: EpochMs
  /** Whether webhooks of the capture usually carry a signature. */
  readonly usuallySigned: boolean
}

/** Reads a webhook: what it says, and its attempts put together to sendings. */
export function readMessage(
  webhook: SeenWebhook,
  isAbout: (event: ReadEvent) => boolean,
  sender: Sender,
): Message {
  const exchanges = webhook.attempts.toSorted((a, b) => a.at - b.at)
  const body = meantBody(exchanges, sender.settings)
  const attempts = exchanges.map((exchange): SentAttempt => {
    const faults = faultsOf(exchange, body, sender)
    return {
      exchange,
      at: Math.round(exchange.at),
      isAccepted: isAccepted(exchange, sender.settings),
      faults,
    }
  })
  const [first, ...rest] = attempts
  if (first === undefined) throw new Error('a webhook without attempts')
  const events = readEvents(body, sender.settings)
  const event = events.find(isAbout) ?? null
  const isForged = attempts.every(({ faults }) => faults.sign === 'wrong' || faults.sign === 'none')
  return { event, body, sendings: sendingsOf([first, ...rest], sender), isForged }
}

/** The body that most attempts have. Faults spoil some of them; of several, an accepted one, or a later one. */
function meantBody(attempts: readonly Exchange[], settings: Settings): string {
  const bodies = [...Map.groupBy(attempts, ({ body }) => body ?? '')].toReversed()
  const isTaken = (some: readonly Exchange[]) => some.some((each) => isAccepted(each, settings))
  const [[best] = ['']] = bodies.toSorted(
    ([a, some], [b, others]) =>
      Number(parsedJson(b) !== undefined) - Number(parsedJson(a) !== undefined) ||
      others.length - some.length ||
      Number(isTaken(others)) - Number(isTaken(some)) ||
      b.length - a.length,
  )
  return best
}

function isAccepted({ status }: Exchange, settings: Settings): boolean {
  return settings['webhook.accept'].some(
    (one) => one === status || (one === '2xx' && status !== null && status >= 200 && status < 300),
  )
}

function faultsOf({ body, headers, isExact }: Exchange, meant: string, sender: Sender): PlannedFaults {
  const text = body ?? ''
  if (text !== meant && meant.startsWith(text)) return { truncate: Buffer.byteLength(text) }
  if (text !== meant && text.length === meant.length) return { tamper: true }
  const recipe = recipeOf(sender.settings)
  if (recipe === null || !sender.usuallySigned) return {}
  if (headers[recipe.header] === undefined) return { sign: 'none' }
  return isExact && isWronglySigned(text, headers, recipe, sender) ? { sign: 'wrong' } : {}
}

/** Whether a signature is wrong. Its time is not judged: a clock of a test may stand anywhere. */
function isWronglySigned(
  body: string,
  headers: Exchange['headers'],
  recipe: Recipe,
  { secrets, clientId }: Sender,
): boolean {
  const needed = recipe.secret === 'api-secret' ? secrets.apiSecret : secrets.webhookSecret
  if (needed === null || recipe.signed.includes('${url}')) return false
  const known = { webhookSecret: needed, apiSecret: needed }
  const problem = signatureProblem({ body, headers, clientId, url: null }, recipe, known, {
    now: 0,
    speed: Infinity,
  })
  return problem?.kind === 'wrong'
}

/** A sending that is still being collected. */
interface Open {
  readonly attempts: [SentAttempt, ...SentAttempt[]]
}

/** Puts attempts to sendings: what the schedule of retries explains belongs to the attempt before. */
function sendingsOf(
  [first, ...rest]: readonly [SentAttempt, ...SentAttempt[]],
  sender: Sender,
): [Sending, ...Sending[]] {
  const begun: [Open, ...Open[]] = [{ attempts: [first] }]
  for (const attempt of rest) {
    const due = (open: Open) => Math.abs((dueAfter(open, sender.settings) ?? Infinity) - attempt.at)
    const isOpen = (open: Open) => due(open) <= tolerance(open, sender.settings)
    // A failed attempt has to be repeated; an accepted one only if the service counted it as failed.
    const failed = begun.find((open) => open.attempts.at(-1)?.isAccepted === false && isOpen(open))
    const counted = begun.find((open) => isOpen(open))
    const open = failed ?? counted
    if (open === undefined) begun.push({ attempts: [attempt] })
    else open.attempts.push(attempt)
  }
  const [one, ...others] = begun
  return [closed(one, sender), ...others.map((open) => closed(open, sender))]
}

/** When the next attempt is due if the last one failed; null if none is. */
function dueAfter({ attempts }: Open, settings: Settings): EpochMs | null {
  const last = attempts.at(-1)
  if (last === undefined) return null
  const { at, ms, responseHeaders } = last.exchange
  const end = at + (ms ?? 0)
  const asked = retryAfterMs(responseHeaders['retry-after'], end)
  return nextAttemptAt(attempts.length, end, retryPolicy(settings), last.isAccepted ? null : asked)
}

/** How far an attempt may be from its due time: long waits are jittered more. */
function tolerance(open: Open, settings: Settings): number {
  const last = open.attempts.at(-1)
  const wait = (dueAfter(open, settings) ?? 0) - (last?.at ?? 0)
  return last?.isAccepted ? Math.min(tolerableMs, wait / 4) : Math.max(tolerableMs, wait / 20)
}

function closed({ attempts }: Open, { settings, until }: Sender): Sending {
  const last = attempts.at(-1)
  const dueAt = dueAfter({ attempts }, settings)
  const isMissing = last?.isAccepted === false && dueAt !== null && dueAt + 60_000 < until
  const lastRepeated = attempts.findLastIndex(
    ({ isAccepted }, index) => isAccepted && index < attempts.length - 1,
  )
  const endsEarly = isMissing && !(last.exchange.status === 410 && settings['webhook.gone'] !== 'retry')
  return { attempts, countedAsFailed: lastRepeated + 1, endsEarly }
}
