import { z } from 'zod'
import { webhookUrl } from '../../domain/webhook-url.ts'
import * as field from './fields.ts'

/** Query of the three lookups (R97). */
export const lookupQuery = z.object({
  requestId: field.id.meta({ example: 'r1' }),
  clientId: field.id.meta({ example: 'demo-client' }),
})

/** Body of the webhook simulation: all members but `errorCode` are required (N51). */
export const simulateRequest = z
  .object({
    requestId: field.id,
    clientId: field.id,
    orderId: field.requiredText,
    orderStatus: field.requiredText,
    orderType: field.requiredText,
    eventType: field.requiredText,
    errorCode: field.optional(field.text),
  })
  .meta({
    id: 'SimulatedWebhook',
    example: {
      requestId: 'r1',
      clientId: 'demo-client',
      orderId: 'order-1',
      orderStatus: 'COMPLETED',
      orderType: 'CHECKOUT',
      eventType: 'service-sdk-transaction-status',
    },
  })

/** Body of the webhook URL update (R107, N49). */
export const webhookUrlRequest = z
  .object({ webhookUrl })
  .meta({ id: 'WebhookUrl', example: { webhookUrl: 'http://127.0.0.1:4601/' } })
