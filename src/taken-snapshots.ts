import type { TakenSnapshot } from './store/snapshot.ts'
import { soon } from './time/timers.ts'

/** How long a part of a snapshot waits for its reader. */
const unreadMs = 30_000

/** Snapshots that are being read, each a copy of everything in memory: one at a time, the others wait for their turn.
 *  One that its reader leaves lying is let go. */
export class TakenSnapshots {
  #turn: Promise<void> = Promise.resolve()

  /** Takes one when the one before has been read, or let go. */
  async take(taking: () => Promise<TakenSnapshot>): Promise<TakenSnapshot> {
    const before = this.#turn
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#turn = promise
    await before
    try {
      return readOnce(await taking(), resolve)
    } catch (error) {
      resolve()
      throw error
    }
  }
}

/** @param over called once it is closed: read to the end, given up, or left lying */
function readOnce(snapshot: TakenSnapshot, over: () => void): TakenSnapshot {
  const parts = snapshot.parts[Symbol.asyncIterator]()
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    cancel()
    await snapshot.close()
    over()
  }
  const leftLying = () => soon(unreadMs, () => void close())
  let cancel = leftLying()
  const next: typeof parts.next = async () => {
    if (!isOpen) throw new Error('this snapshot was not read in time; request it again')
    cancel()
    const part = await parts.next().catch(async (error: unknown) => {
      await close()
      throw error
    })
    if (part.done) await close()
    else cancel = leftLying()
    return part
  }
  const end: NonNullable<typeof parts.return> = async () => {
    await close()
    return { done: true, value: undefined }
  }
  return { schema: snapshot.schema, parts: { [Symbol.asyncIterator]: () => ({ next, return: end }) }, close }
}
