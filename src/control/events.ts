import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import * as z from 'zod'
import { connectionOf } from '../http/request.ts'
import { controlCall, noBody } from './control-call.ts'
import { clientQuery, yesOrNo } from './input.ts'

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // Said to proxies that would rather collect it first.
  'x-accel-buffering': 'no',
}

/** `/events`: what happens, as it happens. */
export const eventCalls = [
  controlCall({
    method: 'GET',
    path: '/events',
    name: 'listenToEvents',
    summary: 'Listen to what happens',
    description:
      'Server-sent events `order`, `delivery` and `request`, each with the thing as its GET shows it (webhook URLs without the credentials in them), and `clock` with `{clientId, mode, now, speed}`. Nothing is sent again: `Last-Event-ID` is ignored. A reader that is a megabyte behind is dropped. With `brief=true` the things themselves are left out: `changed` names, by the kind of the events, whose things have changed (`{"order":["demo-client"],"request":[null]}`; `"*"` for everybody; `setup` is clients, faults, scenarios, plans and settings), at most four times a second. That costs next to nothing, whatever happens.',
    query: clientQuery.extend({
      brief: yesOrNo('Only tells of which kind what changed is.'),
    }),
    body: noBody,
    answers: { 200: z.string() },
    gives: 'text/event-stream',
    errors: ['too_many_streams', 'stopping'],
    handle: async ({ query: { clientId, brief }, c }, { streams }) => {
      streams.refuseIfFull()
      // Nobody reads what a HEAD would open.
      if (c.req.raw.method === 'HEAD') return new Response(null, { headers })
      const { answer } = requireConnection(c)
      answer.writeHead(200, headers)
      streams.open(clientId, answer, brief === 'true')
      return RESPONSE_ALREADY_SENT
    },
  }),
]

function requireConnection(c: Context) {
  const connection = connectionOf(c)
  if (connection === null) throw new Error('a stream of events needs a connection')
  return connection
}
