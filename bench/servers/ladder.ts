// The rungs between a bare echo and a create call, each doing one thing more than the one below; the last is the
// least that a single-threaded program on this stack can do and keep the promises of a create call. Its orders can be
// looked up, for the comparison with other tools.

import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { create, lookup } from '../load/requests.ts'
import { checked, created, isOf, uuid, verified } from './bare-create.ts'
import { BareStore } from './bare-store.ts'

const [port, file = ''] = process.argv.slice(2)
const store = new BareStore(file)
const app = new Hono()
const origin = `http://127.0.0.1:${port}`

app.post('/checked', async (c) => c.json(await checked(c)))
app.post('/verified', async (c) => c.json(created(await verified(c), uuid(Date.now()), Date.now(), origin)))
/** An order that was stored, as far as a lookup tells of it. */
function found(fields: string) {
  const { requestId, token, status, fiatAmount, currencyId, email, paymentMethodId } = JSON.parse(fields)
  return { requestId, token, status, fiatAmount, currencyId, email, paymentMethodId }
}

app.on('POST', ['/stored', create.path], async (c) => {
  const request = await verified(c)
  const nowMs = Date.now()
  const order = { orderId: uuid(nowMs), token: uuid(nowMs), nowMs, request }
  await store.create(order)
  return c.json(created(request, order.token, nowMs, origin))
})
app.get(new URL(lookup.path, 'http://localhost').pathname, (c) => {
  const { requestId = '', clientId } = c.req.query()
  if (!isOf(c.req.header('access-token'), clientId)) return c.json({ error: '401' }, 401)
  const fields = store.find(requestId)
  return typeof fields === 'string' ? c.json({ data: [found(fields)] }) : c.json({ data: [] })
})

process.once('disconnect', () => process.exit())
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(port) })
