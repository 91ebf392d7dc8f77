import { after } from '../../time/timers.ts'
import { wallNow } from '../../time/wall.ts'
import type { TestClient } from '../test-client.ts'
import { answerTo, type PlannedAnswers } from './answers.ts'
import type { Arrivals } from './arrivals.ts'
import type { IncomingWebhook, OutgoingAnswer } from './door.ts'
import { eventIn, jsonOr, type ReceivedWebhook } from './received-webhook.ts'
import { verdictOn } from './verdict.ts'

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
