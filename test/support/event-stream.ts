import { Agent, request } from 'undici'
import { onTestFinished } from 'vitest'
import type { JsonObject } from './answer.ts'

const deadlineMs = 5_000

/** An event as it came down a stream. */
export interface StreamEvent {
  readonly id: string
  readonly name: string
  readonly json: JsonObject
}

/** A reader of server-sent events, that keeps what it read. */
export class EventStream {
  readonly events: StreamEvent[] = []
  /** Everything that came, as text. */
  text = ''
  /** Resolves when the stream has ended, however. */
  readonly ended: Promise<void>
  #tell = () => {}

  private constructor(chunks: AsyncIterable<Buffer>) {
    this.ended = this.#read(chunks)
  }

  /** Opens a stream; it is open when this resolves. */
  static async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<EventStream> {
    const dispatcher = new Agent({ bodyTimeout: 0 })
    onTestFinished(() => dispatcher.destroy())
    const answer = await request(url, { dispatcher, headers })
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${await answer.body.text()}`)
    const stream = new EventStream(answer.body)
    await stream.until(() => stream.text !== '')
    return stream
  }

  /** The first event of this name that fits, as soon as it has come. */
  async first(name: string, fits: (json: JsonObject) => boolean = () => true): Promise<StreamEvent> {
    const find = () => this.events.find((event) => event.name === name && fits(event.json))
    await this.until(() => find() !== undefined)
    const found = find()
    if (found === undefined) throw new Error('unreachable')
    return found
  }

  /** Resolves when something holds; it is looked at whenever something comes. */
  async until(holds: () => boolean): Promise<void> {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => late.reject(new Error(`not within ${deadlineMs} ms; so far: ${this.text}`)),
      deadlineMs,
    )
    try {
      while (!holds()) {
        const news = new Promise<void>((resolve) => {
          this.#tell = resolve
        })
        await Promise.race([news, late.promise])
      }
    } finally {
      clearTimeout(timer)
    }
  }

  async #read(chunks: AsyncIterable<Buffer>): Promise<void> {
    let left = ''
    const decoder = new TextDecoder()
    try {
      for await (const chunk of chunks) {
        const text = decoder.decode(chunk, { stream: true })
        this.text += text
        const blocks = `${left}${text}`.split('\n\n')
        left = blocks.pop() ?? ''
        for (const block of blocks) this.#take(block)
        this.#tell()
      }
    } catch {
      // Cut, which is an end too.
    }
  }

  #take(block: string): void {
    const lines = block.split('\n').map((line) => /^(\w+): (.*)$/.exec(line))
    const of = (name: string) => lines.filter((line) => line?.[1] === name).map((line) => line?.[2] ?? '')
    const [name] = of('event')
    if (name === undefined) return
    this.events.push({ id: of('id')[0] ?? '', name, json: JSON.parse(of('data').join('\n')) })
  }
}
