import type { WorldPart } from './domain/fixture/world.ts'
import { soon } from './time/timers.ts'

/** How long a part of a snapshot waits for its reader. */
const unreadMs = 30_000

type Snapshot = AsyncIterableIterator<WorldPart, undefined>

/** Snapshots that are being read: one at a time, because the store keeps what changes meanwhile; the others wait for their
 *  turn. One that its reader leaves lying is let go. */
export class TakenSnapshots {
  #turn: Promise<void> = Promise.resolve()

  /** Takes one when the one before has been read, or let go. */
  async take(taking: () => Promise<Snapshot>): Promise<Snapshot> {
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

/** @param over called once it has been read to the end, given up, or left lying */
function readOnce(parts: Snapshot, over: () => void): Snapshot {
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    cancel()
    await parts.return?.()
    over()
  }
  const leftLying = () => soon(unreadMs, () => void close())
  let cancel = leftLying()
  return {
    next: async () => {
      if (!isOpen) throw new Error('this snapshot was not read in time; request it again')
      cancel()
      const part = await parts.next().catch(async (error: unknown) => {
        await close()
        throw error
      })
      if (part.done) await close()
      else cancel = leftLying()
      return part
    },
    return: async () => {
      await close()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
