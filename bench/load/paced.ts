import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { listen, type Work } from './connection.ts'

/** A request whose turn has come. */
interface Due {
  readonly request: Buffer
  /** By `performance.now()`. */
  readonly since: number
}

/** Sends requests at an even pace, whether or not those before have been answered. Where every connection waits for an
 *  answer, the next one to get it takes the oldest request, whose latency counts from its turn on.
 *  @throws if any answer is not a 200 or 201 */
export async function sendPaced(sockets: readonly Socket[], work: Work, perSecond: number): Promise<void> {
  const { promise: failure, reject } = Promise.withResolvers<never>()
  const { promise: allAnswered, resolve } = Promise.withResolvers<void>()
  /** Taken in turns: a server closes a connection over which nothing comes. */
  const free: Line[] = []
  const waiting: Due[] = []
  let isOver = false
  const finish = () => {
    if (isOver && waiting.length === 0 && free.length === sockets.length) resolve()
  }
  for (const socket of sockets) {
    const line = new Line(socket)
    free.push(line)
    const answered = () => {
      work.answered(performance.now() - line.since)
      const next = waiting.shift()
      if (next === undefined) free.push(line)
      else line.send(next)
      finish()
    }
    listen(socket, answered, reject)
  }
  const takeTurns = async () => {
    const begun = performance.now()
    for (let turns = 0; ; ) {
      const leftMs = begun + (turns / perSecond) * 1000 - performance.now()
      if (leftMs > 0) {
        await pause(leftMs)
        continue
      }
      const request = work.next()
      if (request === undefined) break
      turns += 1
      const due = { request, since: performance.now() }
      const line = free.shift()
      if (line === undefined) waiting.push(due)
      else line.send(due)
    }
    isOver = true
    finish()
  }
  await Promise.race([failure, Promise.all([takeTurns(), allAnswered])])
}

/** A connection, and since when its request has had its turn. */
class Line {
  readonly #socket: Socket
  since = 0

  constructor(socket: Socket) {
    this.#socket = socket
  }

  send({ request, since }: Due): void {
    this.since = since
    this.#socket.write(request)
  }
}
