import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A request of an application. */
export interface Outgoing {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly json: unknown
}

/** A webhook as it arrived, and how it was answered. */
export interface Arrival {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Epoch milliseconds on the service's clock. */
  readonly at: number
  /** Null if nothing was answered in time. */
  readonly status: number | null
  readonly ms: number
  readonly responseHeaders: Readonly<Record<string, string>>
}

/** What a team outside of the service captures: its own calls as HAR, and the webhooks that reached it. */
export class Recorder {
  readonly #url: string
  readonly #fetch: typeof globalThis.fetch
  readonly #now: () => Promise<number>
  readonly #entries: object[] = []
  readonly arrivals: Arrival[] = []

  /** @param now the time of the service, by which the capture is dated */
  constructor(url: string, fetch: typeof globalThis.fetch, now: () => Promise<number>) {
    this.#url = url
    this.#fetch = fetch
    this.#now = now
  }

  async send({ method, path, headers, body }: Outgoing): Promise<Reply> {
    const at = await this.#now()
    const begun = performance.now()
    const url = `${this.#url}${path}`
    const answer = await this.#fetch(url, { method, headers, ...(body !== undefined && { body }) })
    const text = await answer.text()
    const ms = Math.round(performance.now() - begun)
    const received = outsiders(answer.headers, at + ms)
    this.#entries.push({
      startedDateTime: new Date(at).toISOString(),
      time: ms,
      request: {
        ...{ method, url, httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 },
        headers: listed(headers),
        queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
        bodySize: Buffer.byteLength(body ?? ''),
        ...(body !== undefined && { postData: { mimeType: headers['content-type'] ?? '', text: body } }),
      },
      response: {
        ...{ status: answer.status, statusText: answer.statusText, httpVersion: 'HTTP/1.1', cookies: [] },
        ...{ redirectURL: '', headersSize: -1, bodySize: Buffer.byteLength(text) },
        headers: listed(received),
        content: { size: Buffer.byteLength(text), mimeType: received['content-type'] ?? '', text },
      },
      cache: {},
      timings: { send: 0, wait: ms, receive: 0 },
    })
    return { status: answer.status, headers: received, text, json: parsed(text) }
  }

  /** Writes `calls.har` and `webhooks.jsonl`.
   *  @returns their paths */
  async write(folder: string): Promise<string[]> {
    await mkdir(folder, { recursive: true })
    const calls = join(folder, 'calls.har')
    const webhooks = join(folder, 'webhooks.jsonl')
    const log = { version: '1.2', creator: { name: 'team', version: '1' }, entries: this.#entries }
    await writeFile(calls, JSON.stringify({ log }))
    const lines = this.arrivals.toSorted((a, b) => a.at - b.at).map((one) => `${JSON.stringify(one)}\n`)
    await writeFile(webhooks, lines.join(''))
    return [calls, webhooks]
  }
}

/** The headers of an answer without those that only an emulator sends. Its `Date` is the wall clock's, while the calls
 *  happen on a clock that tests move; a real service has one clock. */
function outsiders(headers: Headers, now: number): Record<string, string> {
  const kept = [...headers].filter(([name]) => !name.startsWith('emulator-'))
  return { ...Object.fromEntries(kept), date: new Date(now).toUTCString() }
}

const listed = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
