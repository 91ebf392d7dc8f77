import { after } from '../../time/timers.ts'
import { wallNow } from '../../time/wall.ts'
import {
  fitsAtItsTime,
  type Secrets,
  type SignatureProblem,
  signatureProblem,
  tokenProblem,
  validSecrets,
} from '../../webhooks/verification.ts'
import type { TestClient } from '../test-client.ts'
import { answerTo, type PlannedAnswers } from './answers.ts'
import type { IncomingWebhook, OutgoingAnswer } from './endpoint.ts'
import { eventIn, jsonOr, type ReceivedWebhook } from './received-webhook.ts'

/** The allowed age of a signature, as in Standard Webhooks. */
const toleranceMs = 5 * 60_000

interface Signed {
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
  readonly requestId: string
}

/** Verifies a webhook with its client's secrets and settings.
 *  @returns `ok`, or a description of the problem */
async function verdictOn(webhook: Signed, client: TestClient): Promise<string> {
  const { text, headers } = webhook
  if (signatureProblem(text, headers, client) === null) return 'ok'
  // Other callers may have changed or rotated the secrets. If the emulator or the client is gone, the known ones are
  // used.
  const secrets: Secrets = await client.read().then(validSecrets, () => client)
  const problem = signatureProblem(text, headers, secrets)
  return problem === null ? 'ok' : ((await excused(problem, webhook, client, secrets)) ?? problem).words
}

const ok = { words: 'ok' }

/** Checks whether the client's settings allow a problem; null if they do not. Few webhooks have a problem, so
 *  settings are read only then. */
async function excused(
  problem: SignatureProblem,
  webhook: Signed,
  client: TestClient,
  secrets: Secrets,
): Promise<{ words: string } | null> {
  if (problem.kind !== 'missing' && problem.kind !== 'time') return null
  try {
    const wanted = await settingsOf(webhook, client)
    if (problem.kind === 'time')
      return wanted['webhook.signTime'] === 'virtual' ? await atClientsTime(webhook, client, secrets) : null
    if (wanted['webhook.auth'] === 'none') return tokenProblem(webhook.text, client.apiSecret) ?? ok
    return wanted['webhook.auth'] === 'hmac-body'
      ? { words: 'missing: expected in the header signature' }
      : null
  } catch {
    // The emulator or the client is gone, so there is no reason to report.
    return null
  }
}

/** The effective settings for a webhook, including the settings of its scenario. */
async function settingsOf({ text, headers, requestId }: Signed, client: TestClient) {
  const { effective } = await client.settings()
  const deliveries = requestId === '' ? [] : await client.deliveries.list({ requestId })
  const delivery = deliveries.find(
    ({ webhookId, bodyText }) => webhookId === headers['webhook-id'] || bodyText === text,
  )
  return { ...effective, ...delivery?.plan?.settings }
}

/** Verifies a signature made at a time on the client's clock, which may run fast. */
async function atClientsTime(
  { text, headers }: Signed,
  client: TestClient,
  secrets: Secrets,
): Promise<{ words: string }> {
  if (!fitsAtItsTime(text, headers, secrets))
    return { words: "wrong: it does not match the body and the client's webhookSecret" }
  const { now, speed } = await client.clock.read()
  const aheadMs = Number(headers['webhook-timestamp']) * 1_000 - now
  if (Math.abs(aheadMs) <= toleranceMs * Math.max(1, speed)) return ok
  const which = aheadMs < 0 ? 'too old' : 'not yet valid'
  return { words: `${which}: webhook-timestamp is not within 5 minutes of the client's clock` }
}

/** The received webhooks of an inbox, and the pending waits for more. */
export class Arrivals {
  readonly all: ReceivedWebhook[] = []
  readonly taken = new Set<ReceivedWebhook>()
  /** Pending waits; the oldest checks an arriving webhook first. */
  readonly #looks = new Set<() => void>()
  readonly #closed = Promise.withResolvers<undefined>()
  isClosed = false

  add(webhook: ReceivedWebhook): void {
    this.all.push(webhook)
    for (const look of this.#looks) look()
  }

  /** Calls `look` now, and again for every arriving webhook until it finds something.
   *  @param look may call a test's function: an error ends this wait only
   *  @returns undefined after the time limit, or if the inbox is closed */
  async until<T>(look: () => T | undefined, timeoutMs: number): Promise<T | undefined> {
    const found = look()
    if (found !== undefined) return found
    const end = Promise.withResolvers<T | undefined>()
    const lookAgain = () => {
      try {
        const come = look()
        if (come === undefined) return
        end.resolve(come)
      } catch (error) {
        end.reject(error)
      }
      this.#looks.delete(lookAgain)
    }
    this.#looks.add(lookAgain)
    const stopClock = after(timeoutMs, () => end.resolve(undefined))
    try {
      return await Promise.race([end.promise, this.#closed.promise])
    } finally {
      stopClock()
      this.#looks.delete(lookAgain)
    }
  }

  /** Ends all pending waits without a webhook. */
  close(): void {
    this.isClosed = true
    this.#closed.resolve(undefined)
  }
}

interface ReceptionParts {
  readonly client: TestClient
  readonly arrivals: Arrivals
  readonly answers: PlannedAnswers
  /** Whether wrong signatures are accepted instead of answered with 401. */
  readonly acceptUnverified: boolean
}

type Arrived = { -readonly [Member in keyof ReceivedWebhook]: ReceivedWebhook[Member] }

/** Receives webhooks over any transport: verifies, stores, answers. */
export class Reception {
  readonly #parts: ReceptionParts
  readonly #closed = Promise.withResolvers<void>()
  #latest: Promise<unknown> = Promise.resolve()

  constructor(parts: ReceptionParts) {
    this.#parts = parts
  }

  async receive({ headers, bytes }: IncomingWebhook): Promise<OutgoingAnswer> {
    const receivedAt = wallNow()
    const text = Buffer.from(bytes).toString('utf8')
    const webhook = await this.#inOrder(this.#verified({ text, headers, receivedAt }))
    const answer = this.#answer(webhook)
    if (!(answer instanceof Promise)) webhook.answered = statusOf(answer)
    this.#parts.arrivals.add(webhook)
    const given = await answer
    webhook.answered = statusOf(given)
    return given
  }

  /** Ends the delays of answers that are pending. */
  close(): void {
    this.#closed.resolve()
  }

  /** Preserves the order of arrival, because verifying takes different times. */
  #inOrder<T>(one: Promise<T>): Promise<T> {
    const turn = this.#latest.then(() => one)
    this.#latest = turn.catch(() => {})
    return turn
  }

  async #verified({
    text,
    headers,
    receivedAt,
  }: Pick<ReceivedWebhook, 'text' | 'headers' | 'receivedAt'>): Promise<Arrived> {
    const { client } = this.#parts
    const event = eventIn(text, client.clientId)
    const signature = await verdictOn({ text, headers, requestId: event.requestId }, client)
    const webhookId = headers['webhook-id'] ?? null
    const facts = { event, body: jsonOr(text), text, headers, signature, webhookId, receivedAt }
    return { ...facts, attempt: 1, answered: null }
  }

  #answer(webhook: Arrived): OutgoingAnswer | Promise<OutgoingAnswer> {
    const { answers, acceptUnverified, arrivals } = this.#parts
    webhook.attempt += arrivals.all.filter((other) => isSame(other, webhook)).length
    if (webhook.signature !== 'ok' && !acceptUnverified)
      return { status: 401, headers: {}, body: `signature ${webhook.signature}` }
    return answerTo(webhook, answers.take(), (ms) => this.#delay(ms))
  }

  async #delay(ms: number): Promise<void> {
    const over = Promise.withResolvers<void>()
    const cancel = after(ms, over.resolve)
    await Promise.race([over.promise, this.#closed.promise])
    cancel()
  }
}

const isSame = (one: ReceivedWebhook, other: ReceivedWebhook): boolean =>
  other.webhookId === null ? one.text === other.text : one.webhookId === other.webhookId

const statusOf = (answer: OutgoingAnswer): number | null =>
  typeof answer === 'string' ? null : answer.status
