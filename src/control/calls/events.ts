import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import * as z from 'zod'
import { connectionOf } from '../../http/request.ts'
import { controlCall, noBody } from '../control-call.ts'
import { clientQuery, yesOrNo } from '../input.ts'

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // A header that asks proxies not to buffer the stream.
  'x-accel-buffering': 'no',
}

export const eventCalls = [
  controlCall({
    method: 'GET',
    path: '/events',
    name: 'listenToEvents',
    summary: 'Stream events as they happen',
    description:
      'Server-sent events `order`, `delivery` and `request`, each with the item as its GET shows it (webhook URLs without their credentials), and `clock` with `{clientId, mode, now, speed}`. Events are not repeated: `Last-Event-ID` is ignored. The emulator drops a reader that is a megabyte behind. With `brief=true` the items are left out: `changed` lists, for each kind of event, the clients with changes (`{"order":["demo-client"],"request":[null]}`; `"*"` means all clients; `setup` means clients, faults, scenarios, plans and settings), at most four times a second. This costs almost nothing, however much happens.',
    query: clientQuery.extend({
      brief: yesOrNo('Sends only the kinds of the changed items.'),
    }),
    body: noBody,
    answers: { 200: z.string() },
    gives: 'text/event-stream',
    errors: ['too_many_streams', 'stopping'],
    handle: async ({ query: { clientId, brief }, c }, { streams }) => {
      streams.refuseIfFull()
      // A HEAD request must not open an event stream.
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
  if (connection === null) throw new Error('an event stream requires a network connection')
  return connection
}
