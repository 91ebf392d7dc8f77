import { IncomingMessage } from 'node:http'
import type { Context } from 'hono'

/** The bytes of a request's body. They are read from Node's own request: Hono's makes a copy of each body.
 *  @param most reading ends as soon as there are more than that
 *  @throws Error if the caller goes away before the end, or the body has been read already */
export function bodyBytes({ req, env }: Context, most: number): Promise<Buffer> {
  const incoming: unknown = env?.incoming
  if (incoming instanceof IncomingMessage && incoming.readable && !incoming.readableDidRead)
    return unreadBytes(incoming, most)
  // Handed in without a connection, or read already, or its caller is gone: Hono knows what can still be had of it.
  return req.raw.arrayBuffer().then((bytes) => Buffer.from(bytes))
}

function unreadBytes(incoming: IncomingMessage, most: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const take = (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size <= most) return
      // Once the answer has left, the rest is read and dropped (@hono/node-server).
      incoming.pause()
      finish()
    }
    const finish = () => {
      letGo()
      // Nearly all come in one piece, which needs no copy.
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))
    }
    const breakOff = () => {
      letGo()
      reject(new Error('The connection was closed before the end of the body'))
    }
    // The request lives until its answer has left, and would keep the bytes as long.
    const letGo = () => incoming.off('data', take).off('end', finish).off('close', breakOff)
    incoming.on('data', take).on('end', finish).on('close', breakOff)
  })
}
