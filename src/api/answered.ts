import type { Context } from 'hono'
import { answerOf } from '../http/request.ts'

/** Calls `act` once the answer of this request has been handed to the system, or its connection has died. Without
 *  a connection (a request handed in by a test) that is when the handler's turn is over. */
export function onceAnswered(c: Context, act: () => void): void {
  const answer = answerOf(c)
  if (answer === null) {
    setImmediate(act)
    return
  }
  let done = false
  const once = () => {
    if (done) return
    done = true
    act()
  }
  answer.once('finish', once)
  answer.once('close', once)
  if (answer.destroyed) once()
}
