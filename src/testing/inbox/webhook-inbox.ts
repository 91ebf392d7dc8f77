import { ControlCallRefused, EmulatorUnreachable, UnexpectedWebhook, WebhookMissing } from '../errors.ts'
import type { TestClient } from '../test-client.ts'
import { type Answering, PlannedAnswers } from './answers.ts'
import { Arrivals } from './arrivals.ts'
import type { Door, OpenDoor } from './door.ts'
import { othersIn, reasons, toldOf } from './in-vain.ts'
import { checkWait, type InboxWait, usualWaitMs } from './inbox-wait.ts'
import type { ReceivedWebhook } from './received-webhook.ts'
import { Reception } from './reception.ts'
import { checkMembers, type InboxWhere, isMeant, wordsFor } from './selection.ts'
import { leadsTo, UrlsBefore } from './urls-before.ts'

/** How an inbox is opened. */
interface Opening {
  /** Answers what is not signed rightly as all else, instead of 401. */
  readonly acceptUnverified?: boolean | undefined
  /** Of all inboxes of its emulator. */
  readonly urlsBefore?: UrlsBefore
  readonly onClosed?: () => void
}

/** Opens an inbox behind a door and makes it the client's webhook URL. */
export async function openInbox(
  client: TestClient,
  openDoor: OpenDoor,
  { acceptUnverified = false, urlsBefore = new UrlsBefore(), onClosed = () => {} }: Opening = {},
): Promise<WebhookInbox> {
  const arrivals = new Arrivals()
  const answers = new PlannedAnswers()
  const reception = new Reception({ client, arrivals, answers, acceptUnverified })
  // First: what has waited for a URL is sent the moment there is one.
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

/** What an inbox is made of. */
interface InboxParts {
  readonly client: TestClient
  readonly arrivals: Arrivals
  readonly answers: PlannedAnswers
  readonly reception: Reception
  readonly door: Door
  readonly urlsBefore: UrlsBefore
  readonly onClosed: () => void
}

/** An endpoint for the webhooks of one client, in the process of a test. It verifies each and remembers it. What is not
 *  signed as the client's settings ask is answered 401, all else 200 unless `answer` says otherwise. What breaks off on
 *  its way is not remembered.
 *
 *  It is the client's webhook URL as long as it is open, and then gives the old one back. */
export class WebhookInbox implements AsyncDisposable {
  readonly #parts: InboxParts
  #closing: Promise<void> | undefined

  constructor(parts: InboxParts) {
    this.#parts = parts
  }

  /** Where the emulator sends the client's webhooks. */
  get url(): string {
    return this.#parts.door.url
  }

  /** All that came, in order of arrival, whatever their signatures. */
  get webhooks(): readonly ReceivedWebhook[] {
    return [...this.#parts.arrivals.all]
  }

  /** Takes the next webhook that fits, and waits for it if it has not come yet. Each is taken once, the oldest first:
   *  `next({orderStatus: 'COMPLETED'})` leaves an earlier CREATED to a later `next`. Its answer may still be on its
   *  way; where the emulator has to have got it, `client.clock.settle()` before you look.
   *  @throws WebhookMissing when time is up */
  async next(where: InboxWhere = {}, wait: InboxWait = {}): Promise<ReceivedWebhook> {
    checkWait(wait)
    const { all, taken } = this.#parts.arrivals
    const { signature = 'ok' } = wait
    const found = await this.#until(wait, () => {
      const first = all.find((webhook) => !taken.has(webhook) && isMeant(webhook, where, signature))
      if (first !== undefined) taken.add(first)
      return first
    })
    if (found !== undefined) return found
    throw await this.#missing('No ', where, wait, taken)
  }

  /** Waits until so many that fit have come, and takes none: it also sees what `next` has taken.
   *  @param wait `count`: at least so many; 1 if left out
   *  @returns all that fit, in order of arrival
   *  @throws WebhookMissing when time is up */
  async waitFor(
    where: InboxWhere = {},
    { count = 1, ...wait }: InboxWait & { readonly count?: number | undefined } = {},
  ): Promise<ReceivedWebhook[]> {
    checkWait({ count, ...wait })
    const { all } = this.#parts.arrivals
    const fitting = () => all.filter((webhook) => isMeant(webhook, where, wait.signature ?? 'ok'))
    const found = await this.#until(wait, () => (fitting().length >= count ? fitting() : undefined))
    if (found !== undefined) return found
    throw await this.#missing(`${fitting().length} instead of ${count} times a `, where, wait, new Set())
  }

  /** Makes sure that there is none that fits besides those that `next` has taken: lets everything that is due now end
   *  (`client.clock.settle`), then looks. Signatures do not count. On a clock that goes on by itself, more may come
   *  later.
   *  @throws UnexpectedWebhook
   *  @throws TypeError for a member that neither an event nor any webhook here has: none could ever fit it */
  async none(where: InboxWhere = {}): Promise<void> {
    const { client, arrivals } = this.#parts
    await client.clock.settle()
    checkMembers(where, arrivals.all)
    const found = arrivals.all.filter(
      (webhook) => !arrivals.taken.has(webhook) && isMeant(webhook, where, 'any'),
    )
    if (found.length === 0) return
    const lines = found.map((webhook) => `  ${toldOf(webhook)}`)
    throw new UnexpectedWebhook([`Expected no webhook ${wordsFor(where)}:`, ...lines].join('\n'), found)
  }

  /** How webhooks are answered from now on: `answer(500)`, `answer('hang')`, `answer((webhook) => ...)`. It takes the
   *  place of all that was planned; `answer(200)` is back to good.
   *  @throws RangeError for a status that there is not, TypeError for what is no answer */
  answer(answering: Answering): void {
    this.#parts.answers.set(answering)
  }

  /** How the coming webhooks are answered, each by one, before that goes on which holds for all: `answerOnce(500,
   *  'reset', {status: 503, headers: {'retry-after': '60'}})`. A refused signature uses none up.
   *  @throws RangeError for a status that there is not, TypeError for what is no answer */
  answerOnce(...answers: readonly Answering[]): void {
    this.#parts.answers.addOnce(answers)
  }

  /** Gives the client's old webhook URL back, unless it has another by now, and stops listening. Whatever still hangs
   *  is cut, and who still waits is told so. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** What `console.log` and the messages of test runners show. */
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
      if (leadsTo(this.url, webhookUrl)) await client.change({ webhookUrl: before })
    } catch (error) {
      // The client is gone, or the emulator is.
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
    const kind = signature === 'wrong' ? ' that is not signed rightly' : ''
    const lines = [
      `${howMany}webhook ${wordsFor(where)}${kind} came ${arrivals.isClosed ? 'before the inbox was closed' : `within ${timeoutMs} ms`}.`,
      ...othersIn(arrivals.all, where, taken),
      ...(await reasons(client, { url: this.url, isEmpty: arrivals.all.length === 0 })),
    ]
    return new WebhookMissing(lines.join('\n'), arrivals.all)
  }
}
