import type { Clock, Delivery, JournalEntry, Order } from './shapes.ts'
import type { OpenReply } from './transport.ts'

/** An event: what changed, as it was right after the change. */
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

  /** Stops listening. */
  async close(): Promise<void> {
    this.#closed = true
    this.#reply.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

/** Of a block of lines its `event` and `data`; nothing for what only keeps the connection alive. */
function* eventIn(block: string): Generator<EmulatorEvent, void, undefined> {
  const valuesOf = (name: string) =>
    block.split('\n').flatMap((line) => (line.startsWith(`${name}: `) ? [line.slice(name.length + 2)] : []))
  const [type] = valuesOf('event')
  if (type !== undefined)
    yield JSON.parse(`{"type":${JSON.stringify(type)},"data":${valuesOf('data').join('\n')}}`)
}
