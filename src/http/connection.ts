import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Context } from 'hono'

/** The connection that a request came over. */
export interface CallerConnection {
  readonly socket: Pick<Socket, 'resetAndDestroy' | 'destroy' | 'destroySoon'>
  readonly answer: Pick<
    ServerResponse,
    'writeHead' | 'write' | 'end' | 'destroy' | 'writableLength' | 'destroyed' | 'once'
  >
}

/** null for a request that was handed in by a test, without a connection. */
export function connectionOf(c: Context): CallerConnection | null {
  const { incoming, outgoing } = c.env ?? {}
  return isAnswer(outgoing) && isRequest(incoming) ? { socket: incoming.socket, answer: outgoing } : null
}

/** The answer of a request, as far as it can be told when it has left. */
export function answerOf(c: Context): Pick<ServerResponse, 'destroyed' | 'once'> | null {
  const outgoing: unknown = c.env?.outgoing
  return isAnswer(outgoing) ? outgoing : null
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isAnswer = (value: unknown): value is ServerResponse =>
  isObject(value) && 'once' in value && 'destroyed' in value

const isRequest = (value: unknown): value is { socket: Socket } => isObject(value) && 'socket' in value
