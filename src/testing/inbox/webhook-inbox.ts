import { ControlCallRefused, EmulatorUnreachable, UnexpectedWebhook, WebhookMissing } from '../errors.ts'
import type { TestClient } from '../test-client.ts'
import { type Answering, PlannedAnswers } from './answers.ts'
import type { Endpoint, OpenEndpoint } from './endpoint.ts'
import { checkWait, type InboxWait, usualWaitMs } from './options.ts'
import type { ReceivedWebhook } from './received-webhook.ts'
import { Arrivals, Reception } from './reception.ts'
import { checkMembers, type InboxWhere, isSelected, wordsFor } from './selection.ts'
import { foreignWebhooks, isBelow, reasons, UrlsBefore, webhookLine } from './timeout-reasons.ts'

interface Opening {
  readonly acceptUnverified?: boolean | undefined
  /** The earlier webhook URLs, shared by all inboxes of the emulator. */
  readonly urlsBefore?: UrlsBefore
  readonly onClosed?: () => void
}

/** Opens an inbox at an endpoint and makes it the client's webhook URL. */
export async function openInbox(
  client: TestClient,
  openDoor: OpenEndpoint,
  { acceptUnverified = false, urlsBefore = new UrlsBefore(), onClosed = () => {} }: Opening = {},
): Promise<WebhookInbox> {
  const arrivals = new Arrivals()
  const answers = new PlannedAnswers()
  const reception = new Reception({ client, arrivals, answers, acceptUnverified })
  // The endpoint opens first, because waiting deliveries are sent as soon as the client has a URL.
  const door = await openDoor((webhook) => reception.receive(webhook))
  try {
    const { webhookUrl } = await client.read()
    urlsBefore.keep(door.url, webhookUrl)
    await client.change({ webhookUrl: door.url })
    return new WebhookInbox({ client, arrivals, answers, reception, door, urlsBefore, onClosed })
  } catch (error) {
    urlsBefore.take(door.url)
    await door.close()
    throw error
  }
}

interface InboxParts {
  readonly client: TestClient
  readonly arrivals: Arrivals
  readonly answers: PlannedAnswers
  readonly reception: Reception
  readonly door: Endpoint
  readonly urlsBefore: UrlsBefore
  readonly onClosed: () => void
}

/** A webhook endpoint for one client, in the process of a test. It verifies and stores every webhook that arrives
 *  complete. It answers 401 to a wrong signature, and 200 to all others unless `answer` says otherwise. */
export class WebhookInbox implements AsyncDisposable {
  readonly #parts: InboxParts
  #closing: Promise<void> | undefined

  constructor(parts: InboxParts) {
    this.#parts = parts
  }

  /** The webhook URL of the client while the inbox is open. */
  get url(): string {
    return this.#parts.door.url
  }

  /** All webhooks in order of arrival, whatever their signatures. */
  get webhooks(): readonly ReceivedWebhook[] {
    return [...this.#parts.arrivals.all]
  }

  /** Takes the oldest matching webhook that has not been taken, and waits for one if necessary. Its answer may still
   *  be on the way to the emulator; `client.clock.settle()` waits for that.
   *  @throws WebhookMissing after the timeout */
  async next(where: InboxWhere = {}, wait: InboxWait = {}): Promise<ReceivedWebhook> {
    checkWait(wait)
    const { all, taken } = this.#parts.arrivals
    const { signature = 'ok' } = wait
    const found = await this.#until(wait, () => {
      const first = all.find((webhook) => !taken.has(webhook) && isSelected(webhook, where, signature))
      if (first !== undefined) taken.add(first)
      return first
    })
    if (found !== undefined) return found
    throw await this.#missing('No ', where, wait, taken)
  }

  /** Waits until enough webhooks match, and takes none. Webhooks taken by `next` count.
   *  @param options `count`: the minimum number. Default: 1.
   *  @returns all matching webhooks, in order of arrival
   *  @throws WebhookMissing after the timeout */
  async waitFor(
    where: InboxWhere = {},
    { count = 1, ...wait }: InboxWait & { readonly count?: number | undefined } = {},
  ): Promise<ReceivedWebhook[]> {
    checkWait({ count, ...wait })
    const { all } = this.#parts.arrivals
    const fitting = () => all.filter((webhook) => isSelected(webhook, where, wait.signature ?? 'ok'))
    const found = await this.#until(wait, () => (fitting().length >= count ? fitting() : undefined))
    if (found !== undefined) return found
    throw await this.#missing(`${fitting().length} instead of ${count} times a `, where, wait, new Set())
  }

  /** Checks that no webhook matches except those taken by `next`. First waits until everything that is due now has
   *  finished. Signatures do not matter. On a running clock, webhooks may still arrive later.
   *  @throws UnexpectedWebhook if one matches
   *  @throws TypeError for a field that no webhook has */
  async none(where: InboxWhere = {}): Promise<void> {
    const { client, arrivals } = this.#parts
    await client.clock.settle()
    checkMembers(where, arrivals.all)
    const found = arrivals.all.filter(
      (webhook) => !arrivals.taken.has(webhook) && isSelected(webhook, where, 'any'),
    )
    if (found.length === 0) return
    const lines = found.map((webhook) => `  ${webhookLine(webhook)}`)
    throw new UnexpectedWebhook([`Expected no webhook ${wordsFor(where)}:`, ...lines].join('\n'), found)
  }

  /** Sets the answer to all webhooks from now on and drops earlier plans: `answer(500)`, `answer('hang')`,
   *  `answer((webhook) => ...)`. `answer(200)` is the default.
   *  @throws RangeError for an invalid status
   *  @throws TypeError for a value that is not an answer */
  answer(answering: Answering): void {
    this.#parts.answers.set(answering)
  }

  /** Sets the answers to the next webhooks, one each: `answerOnce(500, 'reset', { status: 503, headers: {
   *  'retry-after': '60' } })`. A webhook with a wrong signature uses none.
   *  @throws RangeError for an invalid status
   *  @throws TypeError for a value that is not an answer */
  answerOnce(...answers: readonly Answering[]): void {
    this.#parts.answers.addOnce(answers)
  }

  /** Restores the earlier webhook URL, unless it has changed since, and stops listening. Open connections are cut, and
   *  pending waits fail. `await using` calls it. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Returns the short form that `console.log` and test runners show. */
  toJSON(): object {
    return { url: this.url, webhooks: this.webhooks }
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `WebhookInbox { url: '${this.url}', webhooks: ${this.webhooks.length} }`
  }

  async #close(): Promise<void> {
    const { arrivals, reception, door, onClosed } = this.#parts
    arrivals.close()
    reception.close()
    try {
      await this.#giveUrlBack()
    } finally {
      await door.close()
      onClosed()
    }
  }

  async #giveUrlBack(): Promise<void> {
    const { client, urlsBefore } = this.#parts
    const before = urlsBefore.take(this.url)
    try {
      const { webhookUrl } = await client.read()
      if (isBelow(this.url, webhookUrl)) await client.change({ webhookUrl: before })
    } catch (error) {
      // The error means that the client or the emulator is gone.
      const isGone = error instanceof ControlCallRefused && error.status === 404
      if (!isGone && !(error instanceof EmulatorUnreachable)) throw error
    }
  }

  #until<T>({ timeoutMs = usualWaitMs }: InboxWait, look: () => T | undefined): Promise<T | undefined> {
    return this.#parts.arrivals.until(look, timeoutMs)
  }

  async #missing(
    howMany: string,
    where: InboxWhere,
    { timeoutMs = usualWaitMs, signature = 'ok' }: InboxWait,
    taken: ReadonlySet<ReceivedWebhook>,
  ): Promise<WebhookMissing> {
    const { client, arrivals } = this.#parts
    const kind = signature === 'wrong' ? ' with a wrong signature' : ''
    const lines = [
      `${howMany}webhook ${wordsFor(where)}${kind} came ${arrivals.isClosed ? 'before the inbox was closed' : `within ${timeoutMs} ms`}.`,
      ...foreignWebhooks(arrivals.all, where, taken),
      ...(await reasons(client, { url: this.url, isEmpty: arrivals.all.length === 0 })),
    ]
    return new WebhookMissing(lines.join('\n'), arrivals.all)
  }
}
