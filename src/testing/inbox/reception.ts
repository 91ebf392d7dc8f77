import type { ReadEvent } from '../../domain/webhook/read-events.ts'
import { after } from '../../time/timers.ts'
import { wallNow } from '../../time/wall.ts'
import type { SettingsSource } from '../../webhooks/event-reader.ts'
import { validSecrets } from '../../webhooks/verification.ts'
import type { SigningSource, Verifier } from '../../webhooks/verifier.ts'
import { ControlCallRefused, EmulatorUnreachable } from '../errors.ts'
import type { TestClient } from '../test-client.ts'
import { answerTo, type PlannedAnswers } from './answers.ts'
import type { IncomingWebhook, OutgoingAnswer } from './endpoint.ts'
import { eventFrom, jsonOr, type ReceivedWebhook } from './received-webhook.ts'

/** Reads what a client's webhooks are read and verified with. */
const sourceOf = (client: TestClient): SigningSource & SettingsSource => ({
  read: () =>
    readOrGone(async () => {
      const [shown, { effective }, clock] = await Promise.all([
        client.read(),
        client.settings(),
        client.clock.read(),
      ])
      return { secrets: validSecrets(shown), effective, clock, webhookUrl: shown.webhookUrl }
    }),
  ofClient: () => readOrGone(async () => (await client.settings()).effective),
  ofScenario: (body, requestId) =>
    readOrGone(async () => {
      const deliveries = await client.deliveries.list(requestId === undefined ? {} : { requestId })
      const sent = deliveries.find(({ bodyText, attempts }) =>
        [bodyText, ...attempts.map((attempt) => attempt.bodyText)].includes(body),
      )
      return sent?.plan?.settings ?? null
    }),
})

/** Returns null if the emulator or the client is gone, so that there is nothing to read. */
async function readOrGone<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof EmulatorUnreachable || error instanceof ControlCallRefused) return null
    throw error
  }
}

/** Loads the schemas of the settings with the first webhook. */
const loadReader = () => import('./webhook-reader.ts')

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

/** A webhook, once for each of its events. */
type Several = readonly [Arrived, ...Arrived[]]

/** Receives webhooks over any transport: verifies, stores, answers. */
export class Reception {
  readonly #parts: ReceptionParts
  readonly #source: SigningSource & SettingsSource
  #verifier: Verifier | undefined
  readonly #closed = Promise.withResolvers<void>()
  #latest: Promise<unknown> = Promise.resolve()

  constructor(parts: ReceptionParts) {
    this.#parts = parts
    this.#source = sourceOf(parts.client)
  }

  async receive({ headers, bytes }: IncomingWebhook): Promise<OutgoingAnswer> {
    const receivedAt = wallNow()
    const text = Buffer.from(bytes).toString('utf8')
    const webhooks = await this.#inOrder(this.#verified({ text, headers, receivedAt }))
    const answer = this.#answer(webhooks)
    const note = (given: OutgoingAnswer) => {
      for (const webhook of webhooks) webhook.answered = statusOf(given)
    }
    if (!(answer instanceof Promise)) note(answer)
    for (const webhook of webhooks) this.#parts.arrivals.add(webhook)
    const given = await answer
    note(given)
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
  }: Pick<ReceivedWebhook, 'text' | 'headers' | 'receivedAt'>): Promise<Several> {
    const { client } = this.#parts
    const { readReceived, Verifier } = await loadReader()
    this.#verifier ??= new Verifier(this.#source)
    const [first, ...others] = await readReceived(text, this.#source)
    const message = { body: text, headers, clientId: client.clientId, requestId: first?.requestId }
    const { problem, webhookId: inHeaders } = await this.#verifier.verdict(message, client)
    const webhookId = inHeaders ?? first?.webhookId ?? null
    const signature = problem?.words ?? 'ok'
    const facts = { text, headers, signature, webhookId, receivedAt }
    const arrived = (event: ReadEvent | undefined): Arrived => ({
      event: eventFrom(event, client.clientId),
      body: event?.part ?? jsonOr(text),
      ...{ ...facts, attempt: 1, answered: null },
    })
    return [arrived(first), ...others.map(arrived)]
  }

  #answer(webhooks: Several): OutgoingAnswer | Promise<OutgoingAnswer> {
    const { answers, acceptUnverified, arrivals } = this.#parts
    const [webhook] = webhooks
    const before = arrivals.all.filter((other) => isSame(other, webhook)).length / webhooks.length
    for (const each of webhooks) each.attempt += before
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
