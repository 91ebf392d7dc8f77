import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import { connectionOf } from '../../http/request.ts'
import type { Answered } from '../recorded.ts'

/** Sends an answer that leaves in another way than answers do: with a TCP reset instead, with half of its body, or
 *  not at all. The server is told that everything has been sent. */
export function leave(c: Context, answer: Answered, headers: Readonly<Record<string, string>>): Response {
  const connection = connectionOf(c)
  if (connection === null) throw new Error('a request without a connection cannot be left unanswered')
  if (answer.leaves === 'reset') connection.socket.resetAndDestroy()
  if (answer.leaves === 'cut') {
    const bytes = Buffer.from(answer.body)
    connection.answer.writeHead(answer.status, { ...headers, 'content-length': bytes.length })
    connection.answer.write(firstHalf(bytes), () => connection.socket.destroySoon())
  }
  return RESPONSE_ALREADY_SENT
}

/** So much of a body leaves before the connection breaks. */
export const firstHalf = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length / 2))
