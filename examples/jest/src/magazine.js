const express = require('express')
const { Webhook } = require('standardwebhooks')
const { accessUntil } = require('./access.js')
const { Payments } = require('./payments.js')

/** A magazine that is read by subscription.
 *  @param account `{baseUrl, clientId, apiSecret, accessToken, webhookSecret}`
 *  @param {() => number} now what time it is, epoch milliseconds
 *  @returns the express application */
function createMagazine(account, now) {
  const payments = new Payments(account)
  const verifier = new Webhook(account.webhookSecret)
  const subscriptions = new Map()
  const app = express()

  app.post('/subscriptions', express.json(), async (request, response) => {
    const { id, email, trialDays } = request.body
    // Kept first: a webhook may be faster than the answer.
    if (!subscriptions.has(id)) subscriptions.set(id, { startedAt: now(), trialDays, charges: [] })
    response.status(201).json({ paymentToken: await payments.subscribe({ id, email, trialDays }) })
  })

  app.get('/subscriptions/:id', async (request, response) => {
    const { id } = request.params
    const subscription = subscriptions.get(id)
    if (subscription === undefined) return response.sendStatus(404)
    // Ask before locking a reader out: the webhook of a charge may be late, or never come.
    if (now() > accessUntil(subscription)) subscription.charges = await payments.charges(id)
    const until = accessUntil(subscription)
    response.json({ access: now() <= until, until: new Date(until).toISOString() })
  })

  // As bytes, because they are what is signed.
  app.post('/webhooks', express.raw({ type: '*/*' }), async (request, response) => {
    if (!isGenuine(verifier, request)) return response.sendStatus(401)
    const { requestId } = JSON.parse(request.body)
    const subscription = subscriptions.get(requestId)
    // The webhook only says that there is news. What it is, the service tells.
    if (subscription !== undefined) subscription.charges = await payments.charges(requestId)
    response.sendStatus(204)
  })

  return app
}

function isGenuine(verifier, { body, headers }) {
  try {
    verifier.verify(body, headers)
    return true
  } catch {
    return false
  }
}

module.exports = { createMagazine }
