import type { Writable } from 'node:stream'
import type { ClockState } from '../../domain/client/client.ts'
import { maskedUrl } from '../../domain/journal/masking.ts'
import { EmulatorError } from '../../domain/text/errors.ts'
import type { Members } from '../../domain/text/where.ts'
import type { Feed, FeedEvent } from '../../journal/feed.ts'
import { every, soon } from '../../time/timers.ts'
import { type LookParts, type Observation, observationsIn } from './observation.ts'

const topics = ['order', 'delivery', 'request', 'clock', 'setup'] as const
type Topic = (typeof topics)[number]

/** Changes by kind of item: ids of the clients concerned, null for requests without a known client, or `*` for all
 *  clients. */
type ChangeList = Partial<Record<Topic, '*' | readonly (string | null)[]>>

/** Limit of client ids per kind; a longer list becomes `*`. */
const mostNames = 200

/** Collects which kinds of items changed, without reading the items. */
class Changes {
  readonly #names = new Map<Topic, Set<string | null>>()
  readonly #all = new Set<Topic>()

  hear(event: FeedEvent): void {
    switch (event.type) {
      case 'order':
        this.#note('order', event.decision.order.clientId)
        if (event.decision.events.length > 0) this.#note('delivery', event.decision.order.clientId)
        break
      case 'claimed':
        for (const { clientId } of event.deliveries) this.#note('delivery', clientId)
        break
      case 'attempt':
      case 'skipped':
        this.#note('delivery', event.delivery.clientId)
        break
      case 'deliveries':
        this.#note('delivery', event.clientId)
        break
      case 'request':
        this.#note('request', event.entry.clientId)
        break
      case 'clocks':
        for (const { clientId } of event.clocks) this.#note('clock', clientId)
        break
      case 'scenario':
      case 'setup':
        this.#all.add('setup')
        break
      case 'worlds':
        for (const clientId of event.clientIds) this.#noteAll(clientId)
        break
      case 'emptied':
        this.#noteAll(event.clientId)
    }
  }

  /** Changes of one client or of all since the last `clear`; null if nothing changed. */
  of(clientId: string | undefined): ChangeList | null {
    const list: { -readonly [T in Topic]?: ChangeList[T] } = {}
    for (const topic of topics) {
      const names = this.#names.get(topic)
      if (this.#all.has(topic)) list[topic] = '*'
      else if (names !== undefined && (clientId === undefined || names.has(clientId)))
        list[topic] = clientId === undefined ? [...names] : [clientId]
    }
    return Object.keys(list).length === 0 ? null : list
  }

  clear(): void {
    this.#names.clear()
    this.#all.clear()
  }

  #note(topic: Topic, clientId: string | null): void {
    const names = this.#names.get(topic) ?? new Set()
    this.#names.set(topic, names)
    names.add(clientId)
    if (names.size > mostNames) this.#all.add(topic)
  }

  #noteAll(clientId: string | undefined): void {
    for (const topic of topics) {
      if (clientId === undefined) this.#all.add(topic)
      else this.#note(topic, clientId)
    }
  }
}

/** The writable end of the connection to a reader of events. */
export type Sink = Pick<Writable, 'write' | 'end' | 'destroy' | 'once' | 'writableLength'>

const usual = {
  mostStreams: 100,
  /** Backlog in bytes at which a slow reader is dropped. */
  mostWaitingBytes: 1024 * 1024,
  /** Interval of comments that stop proxies from closing an idle connection. */
  heartbeatMs: 15_000,
  /** The minimum time between two `changed` events of a brief stream. */
  quietMs: 250,
}

/** The delay after which a disconnected browser reconnects. */
const retryMs = 1_000

interface Reader {
  readonly clientId: string | undefined
  /** Receives only the kinds of changed items and their clients. */
  readonly brief: boolean
  readonly sink: Sink
}

/** The open streams of `GET /_emulator/events`. Each item is converted to JSON once for all readers, and never
 *  without readers. */
export class EventStreams {
  readonly #parts: LookParts & { readonly feed: Feed; readonly onError: (error: unknown) => void }
  readonly #limits: typeof usual
  readonly #readers = new Set<Reader>()
  /** Last reported reading of each clock, because a walk reports the same reading repeatedly. */
  readonly #clocks = new Map<string, string>()
  /** Sends items in the order of their events. */
  #queue: Promise<void> = Promise.resolve()
  readonly #changes = new Changes()
  /** Cancels the pause after a `changed` event; null if no pause is running. */
  #endQuiet: (() => void) | null = null
  #events = 0
  #close = () => {}
  #stopped = false

  constructor(
    parts: LookParts & { readonly feed: Feed; readonly onError: (error: unknown) => void },
    limits: Partial<typeof usual> = {},
  ) {
    this.#parts = parts
    this.#limits = { ...usual, ...limits }
  }

  get count(): number {
    return this.#readers.size
  }

  /** Refuses a new event stream if there are too many.
   *  @throws too_many_streams, stopping */
  refuseIfFull(): void {
    const { mostStreams } = this.#limits
    if (this.#stopped) throw new EmulatorError('stopping')
    if (this.#readers.size >= mostStreams)
      throw new EmulatorError('too_many_streams', { most: String(mostStreams) })
  }

  /** Streams future events of one client or of all, until the connection or the emulator closes.
   *  @param brief sends only the kinds of changed items and their clients */
  open(clientId: string | undefined, sink: Sink, brief = false): void {
    const reader = { clientId, sink, brief }
    sink.once('close', () => this.#forget(reader))
    if (this.#readers.size === 0) this.#begin()
    this.#readers.add(reader)
    this.#write(reader, `retry: ${retryMs}\n\n`)
  }

  stop(): void {
    this.#stopped = true
    for (const { sink } of this.#readers) sink.end()
    this.#readers.clear()
    this.#close()
  }

  #begin(): void {
    const stopListening = this.#parts.feed.listen((event) => this.#hear(event))
    const stopBeating = every(this.#limits.heartbeatMs, () => {
      for (const reader of this.#readers) this.#write(reader, ': nothing new\n\n')
    })
    this.#close = () => {
      stopListening()
      stopBeating()
      this.#clocks.clear()
      this.#endQuiet?.()
      this.#endQuiet = null
      this.#changes.clear()
    }
  }

  #forget(reader: Reader): void {
    if (this.#readers.delete(reader) && this.#readers.size === 0) this.#close()
  }

  #hear(event: FeedEvent): void {
    if (this.#has((reader) => reader.brief)) this.#hearInBrief(event)
    if (this.#has((reader) => !reader.brief)) this.#hearWhole(event)
  }

  #has(fits: (reader: Reader) => boolean): boolean {
    for (const reader of this.#readers) if (fits(reader)) return true
    return false
  }

  /** Reports the first change at once, and collects the changes that follow during the pause. */
  #hearInBrief(event: FeedEvent): void {
    this.#changes.hear(event)
    if (this.#endQuiet === null) this.#sendSummary()
  }

  #sendSummary(): void {
    this.#endQuiet = null
    let errorField = false
    for (const reader of this.#readers) {
      const changed = reader.brief ? this.#changes.of(reader.clientId) : null
      if (changed === null) continue
      errorField = true
      this.#write(reader, `event: changed\ndata: ${JSON.stringify(changed)}\n\n`)
    }
    this.#changes.clear()
    if (errorField) this.#endQuiet = soon(this.#limits.quietMs, () => this.#sendSummary())
  }

  #hearWhole(event: FeedEvent): void {
    if (event.type === 'emptied') this.#forgetClock(event.clientId)
    else if (event.type === 'clocks') for (const moved of event.clocks) this.#hearClock(moved)
    else for (const observation of observationsIn(event, this.#parts)) this.#hearThing(observation)
  }

  #hearThing({ kind, known: { clientId }, read }: Observation): void {
    if (!this.#has((reader) => !reader.brief && concerns(reader, clientId))) return
    // Start reading now, while the item still matches the event.
    const reading = read()
    // Avoids an unhandled rejection until the queue awaits this read.
    reading.catch(() => undefined)
    this.#queue = this.#queue
      .then(async () => {
        const thing = await reading
        if (thing === null) return
        this.#send(kind, clientId, kind === 'delivery' ? withMaskedUrls(thing.members()) : thing.json)
      })
      .catch(this.#parts.onError)
  }

  #hearClock({ clientId, clock }: { clientId: string; clock: ClockState }): void {
    const { mode, anchor, speed } = clock
    const json = JSON.stringify({ clientId, mode, now: anchor, speed })
    if (this.#clocks.get(clientId) === json) return
    this.#clocks.set(clientId, json)
    this.#queue = this.#queue.then(() => this.#send('clock', clientId, json))
  }

  /** Forgets the last reported clock reading, because the client's next sandbox has a new clock. */
  #forgetClock(clientId: string | undefined): void {
    if (clientId === undefined) this.#clocks.clear()
    else this.#clocks.delete(clientId)
  }

  #send(name: string, clientId: unknown, json: string): void {
    this.#events += 1
    // JSON from outside may contain line breaks, and each ends a line of a server-sent event.
    const data = json.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)
    const text = `id: ${this.#events}\nevent: ${name}\n${data.join('')}\n`
    for (const reader of this.#readers)
      if (!reader.brief && concerns(reader, clientId)) this.#write(reader, text)
  }

  /** Writes to a reader, and drops a reader that is too far behind. */
  #write(reader: Reader, text: string): void {
    reader.sink.write(text)
    if (reader.sink.writableLength <= this.#limits.mostWaitingBytes) return
    this.#forget(reader)
    reader.sink.destroy()
  }
}

/** A delivery as JSON with masked webhook URLs; only GET shows full URLs. */
function withMaskedUrls(delivery: Members): string {
  const { attempts } = delivery
  const inAttempts = Array.isArray(attempts) ? { attempts: attempts.map(withMaskedUrl) } : {}
  return JSON.stringify({ ...withMaskedUrl(delivery), ...inAttempts })
}

const withMaskedUrl = (thing: Members): Members =>
  typeof thing.url === 'string' ? { ...thing, url: maskedUrl(thing.url) } : thing

const concerns = (reader: Reader, clientId: unknown): boolean =>
  reader.clientId === undefined || reader.clientId === clientId
