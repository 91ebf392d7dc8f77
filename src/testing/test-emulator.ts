import type { ControlApi } from './control-api.ts'
import { Controls } from './controls.ts'
import { InboxNotOpened } from './errors.ts'
import type { OpenEndpoint } from './inbox/endpoint.ts'
import { httpEndpoint } from './inbox/http-endpoint.ts'
import { checkInboxOptions, type InboxOptions } from './inbox/options.ts'
import { UrlsBefore } from './inbox/timeout-reasons.ts'
import { openInbox, type WebhookInbox } from './inbox/webhook-inbox.ts'
import type { About, Client, Clocks, Ledger, LoadedFixture, NewClient, ShippedFixture } from './shapes.ts'
import { type ServiceAt, TestClient } from './test-client.ts'

export interface Reached {
  readonly api: ControlApi
  readonly service: ServiceAt
  readonly fetch: typeof globalThis.fetch
  /** Opens endpoints for webhook inboxes; HTTP servers if left out. */
  readonly doorAt?: (where: InboxOptions) => OpenEndpoint
  close(): Promise<void>
}

/** An emulator for tests, in this process or elsewhere. Its calls apply to all clients; the same calls of a client
 *  apply to that client only. */
export class TestEmulator extends Controls<Ledger, Clocks> implements AsyncDisposable {
  /** The base URL for the application under test. */
  readonly url: string
  /** A `fetch` for the application under test that reaches this emulator only, with or without a port. A broken
   *  connection rejects as usual: `TypeError: fetch failed`, with a `cause`.
   *  @throws FetchRefused for any other URL; nothing is sent */
  readonly fetch: typeof globalThis.fetch
  readonly #service: ServiceAt
  readonly #close: () => Promise<void>
  readonly #doorAt: (where: InboxOptions) => OpenEndpoint
  /** Open and opening inboxes: `close` must also close an inbox that is still being opened. */
  readonly #inboxes = new Set<Promise<WebhookInbox>>()
  readonly #urlsBefore = new UrlsBefore()
  #closing: Promise<void> | undefined

  constructor({ api, service, fetch, close, doorAt = httpEndpoint }: Reached) {
    super(api)
    this.url = service.url
    this.fetch = fetch
    this.#service = service
    this.#close = close
    this.#doorAt = doorAt
  }

  /** Creates a client with fresh credentials. It is an isolated sandbox: its orders, clock, faults and settings do not
   *  affect other clients.
   *  @throws ControlCallRefused for an invalid field */
  async createClient(fields: NewClient = {}): Promise<TestClient> {
    return this.#clientOf(await this.api.call<Client>('POST', '/clients', { body: fields }))
  }

  /** Returns an existing client, such as `demo-client`.
   *  @throws ControlCallRefused (404) if there is none */
  async client(clientId: string): Promise<TestClient> {
    return this.#clientOf(await this.api.call<Client>('GET', `/clients/${encodeURIComponent(clientId)}`))
  }

  /** Lists all clients. */
  clients(): Promise<Client[]> {
    return this.api.list('/clients')
  }

  /** Opens a webhook endpoint in this process and makes it the webhook URL of a client, which can have one inbox at a
   *  time. With `listen: false` or `webhookFetch`, webhooks arrive without a port.
   *  @throws InboxNotOpened for an unknown option, a port in use or a closed emulator
   *  @throws ControlCallRefused if the client no longer exists */
  async webhookInbox(client: TestClient, options: InboxOptions = {}): Promise<WebhookInbox> {
    checkInboxOptions(options)
    if (this.#closing !== undefined)
      throw new InboxNotOpened('webhookInbox was called after emulator.close(): is an `await` missing?')
    const { acceptUnverified, ...where } = options
    const forget = () => this.#inboxes.delete(inbox)
    const opening = { acceptUnverified, urlsBefore: this.#urlsBefore, onClosed: forget }
    const inbox = openInbox(client, this.#doorAt(where), opening)
    this.#inboxes.add(inbox)
    inbox.catch(forget)
    return await inbox
  }

  /** Returns the version, seed, number of clients and other facts about the emulator. */
  about(): Promise<About> {
    return this.api.call('GET', '/about')
  }

  /** Lists the built-in fixtures. */
  fixtures(): Promise<ShippedFixture[]> {
    return this.api.list('/fixtures')
  }

  /** Loads clients and their orders from a fixture. `client(clientId)` then returns them.
   *  @param fixture YAML, or an object with the same fields
   *  @param options `replace`: existing clients with these ids are removed first
   *  @throws ControlCallRefused with the line and column of what is wrong */
  loadFixture(
    fixture: string | object,
    options: { readonly replace?: boolean | undefined } = {},
  ): Promise<LoadedFixture> {
    const text = typeof fixture === 'string' ? fixture : JSON.stringify(fixture)
    return this.api.call('POST', '/fixtures', { query: options, body: text })
  }

  /** Loads a built-in fixture, such as `busy-merchant`.
   *  @param options `replace`: existing clients with these ids are removed first */
  loadShippedFixture(
    name: string,
    options: { readonly replace?: boolean | undefined } = {},
  ): Promise<LoadedFixture> {
    return this.api.call('POST', `/fixtures/${encodeURIComponent(name)}`, { query: options })
  }

  /** Closes the webhook inboxes and stops an emulator in this process. An emulator elsewhere keeps running; only the
   *  connections to it are closed. `await using` calls it.
   *  @throws AggregateError if an emulator in this process met a bug of its own */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Returns the short form that `console.log` and test runners show. */
  toJSON(): object {
    return { url: this.url }
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `TestEmulator { url: '${this.url}' }`
  }

  async #closeAll(): Promise<void> {
    try {
      // An inbox that fails to open reports its error to its opener.
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
