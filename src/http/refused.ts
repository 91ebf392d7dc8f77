import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'

const refused = new WeakSet<object>()

/** Says that a request has been refused, and journalled, while its body was still coming. */
export function refusedOnItsWay(incoming: IncomingMessage): void {
  refused.add(incoming)
}

/** Whether it has: to whoever reads the body it looks as if the caller had gone away. */
export function wasRefused(c: Context): boolean {
  const incoming: unknown = c.env?.incoming
  return typeof incoming === 'object' && incoming !== null && refused.has(incoming)
}
