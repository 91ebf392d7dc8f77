import { Hono } from 'hono'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'

const event = z.object({ requestId: z.string() })

/** Takes the service's webhooks. An answer other than 2xx makes the service send again.
 *  @param settle what to do about the purchase that a webhook speaks of */
export function webhooks(webhookSecret: string, settle: (id: string) => Promise<void>): Hono {
  const verifier = new Webhook(webhookSecret)
  return new Hono().post('/', async (c) => {
    const body = await c.req.text()
    if (!isGenuine(verifier, body, c.req.header())) return c.text('The signature is wrong', 401)
    await settle(event.parse(JSON.parse(body)).requestId)
    return c.body(null, 204)
  })
}

function isGenuine(verifier: Webhook, body: string, headers: Record<string, string>): boolean {
  try {
    verifier.verify(body, headers)
    return true
  } catch {
    return false
  }
}
