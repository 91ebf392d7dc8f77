import { once } from 'node:events'
import { connect } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import { headerOf } from '../../src/http/headers.ts'

const names = ['access-token', 'signature', 'content-type', 'x-empty', 'constructor', '__proto__', 'absent']

/** What an app reads of a request that came over a connection, both ways. */
async function readBoth(lines: readonly string[]): Promise<unknown> {
  const app = new Hono()
  app.get('/', (c) => c.json(names.map((name) => [headerOf(c, name) ?? null, c.req.header(name) ?? null])))
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 })
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const socket = connect(address.port, '127.0.0.1')
  socket.end(['GET / HTTP/1.1', 'host: localhost', 'connection: close', ...lines, '', ''].join('\r\n'))
  let text = ''
  for await (const chunk of socket) text += chunk
  return JSON.parse(text.slice(text.indexOf('\r\n\r\n')))
}

test.each([
  { lines: ['Access-Token: a', 'SIGNATURE:  b '] },
  { lines: ['access-token: a', 'Access-Token: b', 'content-type: text/plain', 'Content-Type: text/html'] },
  { lines: ['x-empty:', 'constructor: c', 'accest-token: other'] },
  { lines: [] },
])('a header reads as Headers has it: $lines', async ({ lines }) => {
  const read = await readBoth(lines)
  expect(read).toHaveLength(names.length)
  for (const [ours, theirs] of read as [unknown, unknown][]) expect(ours).toBe(theirs)
})

test('one that stands there twice is joined, one that does not is undefined', async () => {
  const read = await readBoth(['access-token: a', 'Access-Token: b'])
  expect(read).toEqual([['a, b', 'a, b'], ...names.slice(1).map(() => [null, null])])
})

test('without a connection the headers of the request are asked', async () => {
  const app = new Hono()
  app.get('/', (c) => c.json([headerOf(c, 'signature'), headerOf(c, 'absent') ?? null]))
  const answer = await app.request('/', { headers: { Signature: 's' } })
  expect(await answer.json()).toEqual(['s', null])
})
