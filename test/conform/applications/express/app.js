import express from 'express'
import { Unclear } from './transport.js'

const amountForm = /^\d+(\.\d{1,2})?$/

/** The shop's web API. */
export function createApp(orders, checkout, { clientId }) {
  const app = express()
  // Before the parser for all others: a webhook is not always called JSON, and may be long.
  app.post('/webhooks', express.raw({ type: () => true, limit: '2mb' }), (request, response) => {
    const event = readEvent(request.body)
    if (event === undefined) return response.status(400).send('This is no event')
    const ours = (event.clientId ?? clientId) === clientId
    if (ours) checkout.lookAt(event.requestId)
    response.sendStatus(200)
  })

  app.use(express.json())

  const begin = (kind) => async (request, response) => {
    const { amount, email, note = '', cart = '' } = request.body ?? {}
    if (!amountForm.test(amount) || ![email, note, cart].every((text) => typeof text === 'string'))
      return response.status(400).json({ error: 'amount and email are needed' })
    const wanted = { kind, amount: String(amount), email, note, cart }
    const { requestId, token, status } = await checkout.begin(wanted)
    response.status(201).json({ requestId, token, status })
  }
  app.post('/orders', begin('checkout'))
  app.post('/subscriptions', begin('subscription'))

  app.get('/orders/:requestId', (request, response) => {
    const order = orders.find(request.params.requestId)
    if (!order) return response.status(404).json({ error: 'There is no such order' })
    const { requestId, status, parcels, refunds } = order
    response.json({ requestId, status, parcels: parcels.size, refunds })
  })

  app.post('/orders/:requestId/cancel', async (request, response) => {
    const { requestId } = request.params
    if (!orders.find(requestId)) return response.status(404).json({ error: 'There is no such order' })
    try {
      await checkout.cancel(requestId)
      response.json({ requestId, status: orders.find(requestId).status })
    } catch (error) {
      if (!(error instanceof Unclear)) throw error
      response.status(503).json({ error: 'The order cannot be looked up now; try again' })
    }
  })

  app.get('/return', async (request, response) => {
    // Whoever holds the browser writes this: good for finding the order, for nothing else.
    const requestId = requestIdIn(request.query.data)
    await checkout.settle(requestId).catch((error) => console.error(`${requestId}: ${error.message}`))
    const status = orders.find(requestId)?.status ?? 'unknown'
    response.type('html').send(`<!doctype html><title>Your order</title><p>Your order is ${status}.</p>`)
  })

  app.post('/reconcile', async (_request, response) => {
    await checkout.reconcile()
    response.sendStatus(204)
  })

  app.post('/clock', (request, response) => {
    checkout.setClock(Number(request.body.now))
    response.sendStatus(204)
  })
  return app
}

function readEvent(body) {
  try {
    const event = JSON.parse(body.toString('utf8'))
    return typeof event.requestId === 'string' ? event : undefined
  } catch {
    return undefined
  }
}

function requestIdIn(data) {
  try {
    return String(JSON.parse(Buffer.from(String(data), 'base64url').toString('utf8')).requestId)
  } catch {
    return ''
  }
}
