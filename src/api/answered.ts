import type { Context } from 'hono'

/** Calls `act` once the answer of this request has been handed to the system, or its connection has died. Without
 *  a connection (a request handed in by a test) that is when the handler's turn is over. */
export function onceAnswered(c: Context, act: () => void): void {
  const outgoing: unknown = c.env?.outgoing
  if (!isAnswer(outgoing)) {
    setImmediate(act)
    return
  }
  let done = false
  const once = () => {
    if (done) return
    done = true
    act()
  }
  outgoing.once('finish', once)
  outgoing.once('close', once)
  if (outgoing.destroyed) once()
}

interface NodeAnswer {
  readonly destroyed: boolean
  once(event: 'finish' | 'close', listener: () => void): void
}

function isAnswer(value: unknown): value is NodeAnswer {
  return typeof value === 'object' && value !== null && 'once' in value && 'destroyed' in value
}
