import type { ControlApi } from './control-api.ts'
import { Controls } from './controls.ts'
import type {
  About,
  Client,
  Clocks,
  Ledger,
  LoadedFixture,
  NewClient,
  ShippedFixture,
} from './shapes.generated.ts'
import { type ServiceAt, TestClient } from './test-client.ts'

/** What a test emulator is made of. */
export interface Reached {
  readonly api: ControlApi
  readonly service: ServiceAt
  close(): Promise<void>
}

/** An emulator that a test has: in this process, or anywhere else. What it does is done to all clients; each client
 *  does the same in its own world. */
export class TestEmulator extends Controls<Ledger, Clocks> implements AsyncDisposable {
  /** The base URL that the application under test is to call. */
  readonly url: string
  readonly #service: ServiceAt
  readonly #close: () => Promise<void>
  #closing: Promise<void> | undefined

  constructor({ api, service, close }: Reached) {
    super(api)
    this.url = service.url
    this.#service = service
    this.#close = close
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

  /** Ends it, if it runs in this process; leaves an emulator elsewhere running, and only ends the connections to it.
   *  @throws AggregateError if an emulator in this process has met a bug of its own */
  close(): Promise<void> {
    this.#closing ??= this.#close()
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

  #clientOf(client: Client): TestClient {
    return new TestClient(client, this.api, this.#service)
  }
}
