// The rungs between a bare echo and a create call, each doing one thing more than the one below; the last is the
// least that a single-threaded program on this stack can do and keep the promises of a create call. Its orders can be
// looked up, for the comparison with other tools.

import { createHmac, createSecretKey, randomUUID, timingSafeEqual } from 'node:crypto'
import { serve } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { checkoutRequest } from '../../src/api/contract/create-requests.ts'
import { create, lookup } from '../load/requests.ts'
import { BareStore } from './bare-store.ts'

const [port, file = ''] = process.argv.slice(2)
const tokens = new Map([['demo-token', 'demo-client']])
const secret = createSecretKey(Buffer.from('demo-secret'))
const store = new BareStore(file)
const app = new Hono()

/** The body, checked. */
const checked = async (c: Context) => checkoutRequest.parse(await c.req.json())
type Checked = Awaited<ReturnType<typeof checked>>

/** The body of a client that is known by its token and its signature. */
async function verified(c: Context): Promise<Checked> {
  const clientId = tokens.get(c.req.header('access-token') ?? '')
  const request = await checked(c)
  const signed = `fiatAmount=${request.fiatAmount}&requestId=${request.requestId}`
  const expected = createHmac('sha256', secret).update(signed).digest('base64')
  const given = Buffer.from(c.req.header('signature') ?? '')
  if (clientId !== request.clientId || !timingSafeEqual(given, Buffer.from(expected))) throw new Error('401')
  return request
}

const created = (request: Checked, token: string, nowMs: number) => ({
  requestId: request.requestId,
  token,
  status: 'CREATED',
  offerInfoData: {
    userAddress: request.email,
    clientId: request.clientId,
    selectedPaymentMethod: request.paymentMethodId,
    totalFiatAmount: request.fiatAmount,
    expiryTs: new Date(nowMs + 3_600_000).toISOString(),
    currencyId: request.currencyId,
    type: 'BUY',
  },
  redirectUrl: `http://127.0.0.1:${port}/pay/${token}`,
})

/** In the order of time, so that new entries of an index stand side by side. */
function uuid(nowMs: number): string {
  const time = nowMs.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

app.post('/checked', async (c) => c.json(await checked(c)))
app.post('/verified', async (c) => c.json(created(await verified(c), uuid(Date.now()), Date.now())))
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
  return c.json(created(request, order.token, nowMs))
})
app.get(new URL(lookup.path, 'http://localhost').pathname, (c) => {
  const { requestId = '', clientId } = c.req.query()
  if (tokens.get(c.req.header('access-token') ?? '') !== clientId) return c.json({ error: '401' }, 401)
  const fields = store.find(requestId)
  return typeof fields === 'string' ? c.json({ data: [found(fields)] }) : c.json({ data: [] })
})

process.once('disconnect', () => process.exit())
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(port) })
