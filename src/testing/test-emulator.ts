import type { ControlApi } from './control-api.ts'
import { Controls } from './controls.ts'
import { InboxNotOpened } from './errors.ts'
import type { OpenDoor } from './inbox/door.ts'
import { httpDoor } from './inbox/http-door.ts'
import { checkInboxOptions, type InboxOptions } from './inbox/inbox-options.ts'
import { UrlsBefore } from './inbox/urls-before.ts'
import { openInbox, type WebhookInbox } from './inbox/webhook-inbox.ts'
import type { About, Client, Clocks, Ledger, LoadedFixture, NewClient, ShippedFixture } from './shapes.ts'
import { type ServiceAt, TestClient } from './test-client.ts'

/** What a test emulator is made of. */
export interface Reached {
  readonly api: ControlApi
  readonly service: ServiceAt
  readonly fetch: typeof globalThis.fetch
  /** Where inboxes get their webhooks; over HTTP if left out. */
  readonly doorAt?: (where: InboxOptions) => OpenDoor
  close(): Promise<void>
}

/** An emulator that a test has: in this process, or anywhere else. What it does is done to all clients; each client
 *  does the same in its own world. */
export class TestEmulator extends Controls<Ledger, Clocks> implements AsyncDisposable {
  /** The base URL that the application under test is to call. */
  readonly url: string
  /** `fetch` for the application under test: it reaches this emulator, whether that has a port or not, and nothing
   *  else. What breaks a connection rejects as ever (`TypeError: fetch failed`, with a `cause`).
   *  @throws FetchRefused for any other URL: nothing was sent */
  readonly fetch: typeof globalThis.fetch
  readonly #service: ServiceAt
  readonly #close: () => Promise<void>
  readonly #doorAt: (where: InboxOptions) => OpenDoor
  /** Those that are still opening too: what `close` did not know of would stay open for ever. */
  readonly #inboxes = new Set<Promise<WebhookInbox>>()
  readonly #urlsBefore = new UrlsBefore()
  #closing: Promise<void> | undefined

  constructor({ api, service, fetch, close, doorAt = httpDoor }: Reached) {
    super(api)
    this.url = service.url
    this.fetch = fetch
    this.#service = service
    this.#close = close
    this.#doorAt = doorAt
  }

  /** Makes a client with fresh credentials, a world of its own: its orders, clock, faults and settings touch no other,
   *  so tests can run side by side, each with one.
   *  @throws ControlCallRefused */
  async createClient(fields: NewClient = {}): Promise<TestClient> {
    return this.#clientOf(await this.api.call<Client>('POST', '/clients', { body: fields }))
  }

  /** A client that there is already, like `demo-client`.
   *  @throws ControlCallRefused (404) */
  async client(clientId: string): Promise<TestClient> {
    return this.#clientOf(await this.api.call<Client>('GET', `/clients/${encodeURIComponent(clientId)}`))
  }

  /** All clients. */
  clients(): Promise<Client[]> {
    return this.api.list('/clients')
  }

  /** Opens an endpoint in this process that gets the webhooks of a client: verifies, remembers, waits, and answers badly
   *  if told to. It becomes the client's webhook URL; one at a time for a client. An emulator without
   *  a port, or with `webhookFetch`, hands them over without a network: it needs no port then.
   *  @throws InboxNotOpened (an unknown option, a taken port, an emulator that has been closed), ControlCallRefused */
  async webhookInbox(client: TestClient, options: InboxOptions = {}): Promise<WebhookInbox> {
    checkInboxOptions(options)
    if (this.#closing !== undefined)
      throw new InboxNotOpened('webhookInbox after emulator.close(): is something not awaited?')
    const { acceptUnverified, ...where } = options
    const forget = () => this.#inboxes.delete(inbox)
    const opening = { acceptUnverified, urlsBefore: this.#urlsBefore, onClosed: forget }
    const inbox = openInbox(client, this.#doorAt(where), opening)
    this.#inboxes.add(inbox)
    inbox.catch(forget)
    return await inbox
  }

  /** What runs there and how much it holds. */
  about(): Promise<About> {
    return this.api.call('GET', '/about')
  }

  /** The fixtures that ship. */
  fixtures(): Promise<ShippedFixture[]> {
    return this.api.list('/fixtures')
  }

  /** Loads a world: clients, with orders anywhere in their lives. `client(clientId)` reaches them.
   *  @param fixture YAML, or an object of the same shape
   *  @param options `replace`: clients of these names that are there give way
   *  @throws ControlCallRefused, with what is wrong and in which line */
  loadFixture(
    fixture: string | object,
    options: { readonly replace?: boolean | undefined } = {},
  ): Promise<LoadedFixture> {
    const text = typeof fixture === 'string' ? fixture : JSON.stringify(fixture)
    return this.api.call('POST', '/fixtures', { query: options, body: text })
  }

  /** Loads a world that ships, like `busy-merchant`. */
  loadShippedFixture(
    name: string,
    options: { readonly replace?: boolean | undefined } = {},
  ): Promise<LoadedFixture> {
    return this.api.call('POST', `/fixtures/${encodeURIComponent(name)}`, { query: options })
  }

  /** Closes its webhook inboxes and ends it, if it runs in this process; leaves an emulator elsewhere running, and only
   *  ends the connections to it.
   *  @throws AggregateError if an emulator in this process has met a bug of its own */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** What `console.log` and the messages of test runners show. */
  toJSON(): object {
    return { url: this.url }
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `TestEmulator { url: '${this.url}' }`
  }

  async #closeAll(): Promise<void> {
    try {
      // Who opens one is told why it cannot be opened.
      const opened = [...this.#inboxes].map((opening) => opening.catch(() => null))
      await Promise.all(opened.map(async (inbox) => (await inbox)?.close()))
    } finally {
      await this.#close()
    }
  }

  #clientOf(client: Client): TestClient {
    return new TestClient(client, this.api, this.#service)
  }
}
