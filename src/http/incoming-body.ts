import type { Context } from 'hono'
import { IncomingRequest } from './incoming-request.ts'

/** The bytes of a request's body. They are taken from Node's own request: Hono's makes a copy of each body.
 *  @param most reading ends as soon as there are more than that
 *  @throws Error if the caller goes away before the end, or the body has been read already */
export function bodyBytes({ req, env }: Context, most: number): Promise<Buffer> {
  const incoming: unknown = env?.incoming
  if (incoming instanceof IncomingRequest) {
    if (incoming.isTaken) return Promise.reject(new Error('The body has been read already'))
    if (incoming.readable && !incoming.readableDidRead) return incoming.takeBody(most)
  }
  // Handed in without a connection, or its caller is gone: Hono knows what can still be had of it.
  return req.raw.arrayBuffer().then((bytes) => Buffer.from(bytes))
}
