import { after } from '../../time/timers.ts'
import { wallNow } from '../../time/wall.ts'
import {
  fitsAtItsTime,
  type SignatureProblem,
  signatureProblem,
  tokenProblem,
} from '../../webhooks/verification.ts'
import type { TestClient } from '../test-client.ts'
import { answerTo, type PlannedAnswers } from './answers.ts'
import type { IncomingWebhook, OutgoingAnswer } from './endpoint.ts'
import { eventIn, jsonOr, type ReceivedWebhook } from './received-webhook.ts'

/** How far the time of a signature may be from now, as in Standard Webhooks. */
const toleranceMs = 5 * 60_000

/** A webhook to verify. */
interface Signed {
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
  readonly requestId: string
}

/** Verifies a webhook by its client's secrets, as its settings want it signed.
 *  @returns `ok`, or what is wrong, in words */
async function verdictOn(webhook: Signed, client: TestClient): Promise<string> {
  const problem =
    signatureProblem(webhook.text, webhook.headers, client) && (await problemNow(webhook, client))
  return problem === null ? 'ok' : ((await excused(problem, webhook, client)) ?? problem).words
}

/** What is wrong by the secrets that the client has by now: somebody else may have changed them, or restored a world. */
async function problemNow({ text, headers }: Signed, client: TestClient): Promise<SignatureProblem | null> {
  // Where the emulator is gone, or the client is, those that are known have to do.
  await client.read().catch(() => {})
  return signatureProblem(text, headers, client)
}

const ok = { words: 'ok' }

/** What becomes of a problem that the settings may explain; null if they do not. They are asked for only then: few
 *  webhooks have one. */
async function excused(
  problem: SignatureProblem,
  webhook: Signed,
  client: TestClient,
): Promise<{ words: string } | null> {
  if (problem.kind !== 'missing' && problem.kind !== 'time') return null
  try {
    const wanted = await settingsOf(webhook, client)
    if (problem.kind === 'time')
      return wanted['webhook.signTime'] === 'virtual' ? await atClientsTime(webhook, client) : null
    if (wanted['webhook.auth'] === 'none') return tokenProblem(webhook.text, client.apiSecret) ?? ok
    return wanted['webhook.auth'] === 'hmac-body'
      ? { words: 'missing: expected in the header signature' }
      : null
  } catch {
    // The emulator is gone, or the client is.
    return null
  }
}

/** The client's settings, with those that a scenario has laid over them for this webhook. */
async function settingsOf({ text, headers, requestId }: Signed, client: TestClient) {
  const { effective } = await client.settings()
  const deliveries = requestId === '' ? [] : await client.deliveries.list({ requestId })
  const delivery = deliveries.find(
    ({ webhookId, bodyText }) => webhookId === headers['webhook-id'] || bodyText === text,
  )
  return { ...effective, ...delivery?.plan?.settings }
}

/** Verifies what was signed at a time of the client's clock. One that runs fast has gone on since. */
async function atClientsTime({ text, headers }: Signed, client: TestClient): Promise<{ words: string }> {
  if (!fitsAtItsTime(text, headers, client.webhookSecret))
    return { words: "wrong: it does not match the body and the client's webhookSecret" }
  const { now, speed } = await client.clock.read()
  const aheadMs = Number(headers['webhook-timestamp']) * 1_000 - now
  if (Math.abs(aheadMs) <= toleranceMs * Math.max(1, speed)) return ok
  const which = aheadMs < 0 ? 'too old' : 'not yet valid'
  return { words: `${which}: webhook-timestamp is not within 5 minutes of the client's clock` }
}

/** What an inbox has got, and who waits for more. */
export class Arrivals {
  readonly all: ReceivedWebhook[] = []
  /** Those that somebody has been given as the next. */
  readonly taken = new Set<ReceivedWebhook>()
  /** In the order in which they began to wait: who waits longer looks first. */
  readonly #looks = new Set<() => void>()
  readonly #closed = Promise.withResolvers<undefined>()
  isClosed = false

  add(webhook: ReceivedWebhook): void {
    this.all.push(webhook)
    for (const look of this.#looks) look()
  }

  /** Looks now, and again whenever something comes, until there is what it looks for.
   *  @param look a test's own function may be part of it: what it throws ends this wait, and disturbs no other
   *  @returns undefined when time is up, or the inbox closed */
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

  /** Ends all waits. */
  close(): void {
    this.isClosed = true
    this.#closed.resolve(undefined)
  }
}

/** What a reception works with. */
interface ReceptionParts {
  readonly client: TestClient
  readonly arrivals: Arrivals
  readonly answers: PlannedAnswers
  /** Answers what is not signed rightly as all else, instead of 401. */
  readonly acceptUnverified: boolean
}

type Arrived = { -readonly [Member in keyof ReceivedWebhook]: ReceivedWebhook[Member] }

/** Takes webhooks, whatever carries them: verifies, remembers, answers. */
export class Reception {
  readonly #parts: ReceptionParts
  readonly #closed = Promise.withResolvers<void>()
  #latest: Promise<unknown> = Promise.resolve()

  constructor(parts: ReceptionParts) {
    this.#parts = parts
  }

  /** Resolves when it is to be answered. */
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

  /** Lets go of answers that are put off. */
  close(): void {
    this.#closed.resolve()
  }

  /** Verifying may take one longer than the next: they are remembered as they came. */
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
