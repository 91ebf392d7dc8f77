import type { FeedEvent } from '../../journal/feed.ts'

const topics = ['order', 'delivery', 'request', 'clock', 'setup'] as const
type Topic = (typeof topics)[number]

/** Whose things of each kind have changed: names of clients, null for requests of nobody known, or `*` for all of
 *  them. A kind of which nothing changed is left out. */
export type ChangeList = Partial<Record<Topic, '*' | readonly (string | null)[]>>

/** Beyond that the names are worth less than their length. */
const mostNames = 200

/** Gathers what has changed, without looking at any of it. */
export class Changes {
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

  /** What has changed since this was last asked, of one client or of all; null if nothing has. */
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
