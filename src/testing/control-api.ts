import { ControlCallRefused, NotAsExpected } from './errors.ts'
import type { Clock, Delivery, JournalEntry, NearMiss, Order } from './shapes.ts'
import type { OpenReply, Reply, Sent, Transport } from './transport.ts'

/** A change in the emulator, with the changed object as it was right after the change. */
export type EmulatorEvent =
  | { readonly type: 'order'; readonly data: Order }
  | { readonly type: 'delivery'; readonly data: Delivery }
  | { readonly type: 'request'; readonly data: JournalEntry }
  | { readonly type: 'clock'; readonly data: Clock & { readonly clientId: string } }

/** A stream of events: `for await (const { type, data } of events)`. It ends with `close`, with the emulator, or when
 *  you leave the loop. A reader that falls behind is disconnected. */
export class EventStream implements AsyncIterable<EmulatorEvent>, AsyncDisposable {
  readonly #reply: OpenReply
  #closed = false

  constructor(reply: OpenReply) {
    this.#reply = reply
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<EmulatorEvent, void, undefined> {
    let rest = ''
    try {
      for await (const text of this.#reply.texts) {
        const blocks = `${rest}${text}`.split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) yield* eventIn(block)
      }
    } catch (error) {
      if (!this.#closed) throw error
    } finally {
      await this.close()
    }
  }

  /** Closes the stream. */
  async close(): Promise<void> {
    this.#closed = true
    this.#reply.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

/** Parses one server-sent event; yields nothing for a heartbeat. */
function* eventIn(block: string): Generator<EmulatorEvent, void, undefined> {
  const valuesOf = (name: string) =>
    block.split('\n').flatMap((line) => (line.startsWith(`${name}: `) ? [line.slice(name.length + 2)] : []))
  const [type] = valuesOf('event')
  if (type !== undefined)
    yield JSON.parse(`{"type":${JSON.stringify(type)},"data":${valuesOf('data').join('\n')}}`)
}

/** Query parameters. Undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** Options of `control`. */
export interface ControlCallOptions {
  /** The query parameters. */
  readonly query?: Query | undefined
  /** The body: sent as JSON; a string is sent as YAML. */
  readonly body?: unknown
  /** The time limit in milliseconds of wall-clock time. Default: 30,000. */
  readonly withinMs?: number | undefined
}

/** Calls to the control API, for one client or for all. */
export class ControlApi {
  readonly #transport: Transport
  readonly #token: string | null
  /** The client that calls are limited to; null for all clients. */
  readonly clientId: string | null

  constructor(transport: Transport, controlToken: string | null, clientId: string | null = null) {
    this.#transport = transport
    this.#token = controlToken
    this.clientId = clientId
  }

  /** Limits calls to one client. */
  of(clientId: string): ControlApi {
    return new ControlApi(this.#transport, this.#token, clientId)
  }

  /** Makes a call of the control API.
   *  @param path the part after `/_emulator`
   *  @returns the JSON of the answer, or its text; undefined for 204
   *  @throws ControlCallRefused unless the answer is a 2xx, EmulatorUnreachable */
  async call<T>(method: string, path: string, options: ControlCallOptions = {}): Promise<T> {
    refuseDots(method, path)
    const reply = await this.#transport.send(this.#request(method, path, options))
    if (reply.status >= 200 && reply.status <= 299) return contentOf(reply)
    throw refusal(`${method} /_emulator${path}`, reply)
  }

  /** Reads the items of a list, page by page, up to the query's `limit`. */
  async list<T>(path: string, { limit, ...query }: Query = {}): Promise<T[]> {
    const items: T[] = []
    const most = limit === undefined ? Number.POSITIVE_INFINITY : Number(limit)
    for (let cursor: string | undefined; ; ) {
      // A limit that is not a number is passed on, so that the emulator refuses it.
      const asked = most > longestPage ? longestPage : (limit ?? longestPage)
      const page: { items: T[]; next: string | null } = await this.call('GET', path, {
        query: { ...query, limit: asked, cursor },
      })
      items.push(...page.items)
      if (page.next === null || items.length >= most) return items.slice(0, most)
      cursor = page.next
    }
  }

  /** Opens a stream of events of one client or of all.
   *  @throws ControlCallRefused if there are too many streams */
  async events(): Promise<EventStream> {
    const reply = await this.#transport.open(this.#request('GET', '/events', {}))
    if (reply.status === 200) return new EventStream(reply)
    let text = ''
    for await (const piece of reply.texts) text += piece
    throw refusal('GET /_emulator/events', { ...reply, text })
  }

  #request(method: string, path: string, { query = {}, body, withinMs }: ControlCallOptions): Sent {
    const isText = typeof body === 'string'
    const type = { 'content-type': isText ? 'application/yaml' : 'application/json' }
    return {
      method,
      path: `/_emulator${path}${this.#search(query)}`,
      headers: {
        ...(body === undefined ? {} : type),
        ...(this.#token === null ? {} : { authorization: `Bearer ${this.#token}` }),
      },
      body: body === undefined || isText ? body : JSON.stringify(body),
      withinMs,
    }
  }

  #search(query: Query): string {
    const all = { ...(this.clientId === null ? {} : { clientId: this.clientId }), ...query }
    const given = new URLSearchParams()
    for (const [name, value] of Object.entries(all)) if (value !== undefined) given.set(name, String(value))
    const search = given.toString()
    return search === '' ? '' : `?${search}`
  }
}

const longestPage = 1_000

/** Rejects an id of dots (`..`), which would change the path of the URL even when percent-encoded. */
function refuseDots(method: string, path: string): void {
  const dots = path.split('/').find((part) => /^(\.|%2e){1,2}$/i.test(part))
  if (dots === undefined) return
  const words = `${method} /_emulator${path} was not sent: ${JSON.stringify(dots)} is not a valid id`
  throw new ControlCallRefused(words, { status: 404, code: 'not_found', body: null })
}

function contentOf({ headers, text }: Reply) {
  if (text === '') return undefined
  return headers['content-type']?.startsWith('application/json') ? JSON.parse(text) : text
}

function refusal(call: string, { status, text }: Reply): ControlCallRefused {
  const body = asJson(text)
  const { error, nearest } = membersOf(body)
  const { code, message } = membersOf(error)
  if (typeof code !== 'string') {
    const words = `${call} answered ${status} with a body that is not from an emulator: ${text.slice(0, 200)}`
    return new ControlCallRefused(words, { status, code: null, body })
  }
  const words = `${call} answered ${status} ${code}: ${message}${code === 'not_found' ? older : ''}`
  return isMisses(nearest)
    ? new NotAsExpected(words, { status, code, body, nearest })
    : new ControlCallRefused(words, { status, code, body })
}

const older = ' The emulator may be older than this library and lack this call.'

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

const isMisses = (value: unknown): value is NearMiss[] => Array.isArray(value)
