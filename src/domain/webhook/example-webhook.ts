import type { Settings } from '../choices/settings.ts'
import { demoCredentials } from '../client/client.ts'
import { orderEventType } from '../order/statuses.ts'
import { exampleRequest, type SignedExample } from './example-request.ts'
import { keyProblem } from './key-problem.ts'
import { payload } from './payload.ts'

const clientId = 'demo-client'
const id = 'msg_example'
const at = Date.UTC(2026, 0, 1)

/** An example webhook by some settings, with the secrets of the demo client; null if they are no keys. */
export function exampleWebhook(settings: Settings): Pick<SignedExample, 'headers' | 'body'> | null {
  if (keyProblem(settings, demoCredentials) !== undefined) return null
  const event = {
    ...{ requestId: 'order-1', clientId, orderId: 'ord_example' },
    ...{ orderStatus: 'COMPLETED', orderType: 'CHECKOUT', eventType: orderEventType },
  }
  const deliveryId = 'del_example'
  const body = payload({ event, at }, { settings, webhookId: id, deliveryId })
  const unsigned = { id, clientId, deliveryId, body, at }
  const { headers, body: sent } = exampleRequest(settings, unsigned, demoCredentials)
  return { headers, body: sent }
}
