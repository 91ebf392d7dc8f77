import type { Store } from '../../src/store/store.ts'

/** A store behind a wire, as a database on another machine would be: each call and each answer takes 0 to 3 ms, calls among
 *  themselves in order, and answers too. What is handed over is copied, so that only plain data passes.
 *  @param random from 0 up to 1 */
export function wired(store: Store, random: () => number = Math.random): Store {
  const there = line(random)
  const back = line(random)
  const overTheWire = async (verb: () => Promise<unknown>): Promise<unknown> => {
    await there()
    try {
      const answer = copied(await verb())
      await back()
      return isIterator(answer) ? wiredIterator(answer, overTheWire) : answer
    } catch (error) {
      await back()
      throw error
    }
  }
  return new Proxy(store, {
    get(target, name) {
      const verb: unknown = Reflect.get(target, name)
      if (typeof verb !== 'function') return verb
      return (...given: unknown[]) => {
        const sent = given.map(copied)
        return overTheWire(() => Reflect.apply(verb, target, sent))
      }
    },
  })
}

/** One direction of the wire: each message arrives up to 3 ms later, in order. */
function line(random: () => number): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return () => {
    const ms = Math.floor(random() * 4)
    const arrived = new Promise<void>((resolve) => {
      if (ms === 0) setImmediate(resolve)
      else setTimeout(resolve, ms)
    })
    last = Promise.all([last, arrived]).then(() => undefined)
    return last
  }
}

/** A stream of parts is no data: it passes as it is. */
const copied = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value
    ? value
    : structuredClone(value)

const isIterator = (value: unknown): value is AsyncIterator<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value && 'next' in value

function wiredIterator(
  parts: AsyncIterator<unknown>,
  overTheWire: (verb: () => Promise<unknown>) => Promise<unknown>,
): object {
  return {
    next: () => overTheWire(() => parts.next()),
    return: () => overTheWire(async () => parts.return?.()),
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
