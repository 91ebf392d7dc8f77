import { Hono } from 'hono'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import type { Checkout } from './checkout.ts'
import { NoClearAnswer } from './http.ts'

// The rest of an event, even what it says of the order, is not needed: the service is asked.
const event = z.looseObject({ requestId: z.string(), clientId: z.string().nullish() })

/** Takes the service's webhooks, and answers 2xx only once their order has been looked after: whatever else it
 *  answers makes the service send again. */
export function webhooks(clientId: string, webhookSecret: string, checkout: Checkout): Hono {
  const verifier = new Webhook(webhookSecret)
  return new Hono().post('/', async (c) => {
    const bytes = Buffer.from(await c.req.arrayBuffer())
    if (!isGenuine(verifier, bytes, c.req.header())) return c.text('The signature is wrong', 401)
    const read = readEvent(bytes)
    if (read === undefined) return c.text('This is no event', 400)
    if ((read.clientId ?? clientId) !== clientId) return c.text('This event is for somebody else', 200)
    try {
      await checkout.settle(read.requestId)
      return c.body(null, 204)
    } catch (error) {
      if (!(error instanceof NoClearAnswer)) throw error
      return c.text('The order cannot be looked up now; send again', 503)
    }
  })
}

/** Signed is what was sent, byte for byte. */
function isGenuine(verifier: Webhook, bytes: Buffer, headers: Record<string, string>): boolean {
  try {
    verifier.verify(bytes, headers, { jsonParse: false })
    return true
  } catch {
    return false
  }
}

function readEvent(bytes: Buffer): z.output<typeof event> | undefined {
  try {
    return event.parse(JSON.parse(bytes.toString('utf8')))
  } catch {
    return undefined
  }
}
