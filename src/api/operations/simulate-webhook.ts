import type { Settings } from '../../domain/choices/settings.ts'
import { knownErrorCodes, printedOrderStatuses } from '../../domain/order/statuses.ts'
import { simulate } from '../../lifecycle/manual-webhooks.ts'
import { requireOwnClientId } from '../authentication.ts'
import type { Call, Reply, ServiceParts } from '../call.ts'
import { simulateRequest } from '../contract/requests.ts'
import { readFields, readObject } from '../input.ts'
import { invalid } from '../refusal.ts'

const noWebhookUrl = { cause: 'webhook-url.missing', words: '' } as const

/** Handles `POST /v1/client/simulate-webhook` (R101-R103, R118, N51-N54): answers at once and delivers through the
 *  queue, without creating or changing an order (R6, R7). */
export async function simulateWebhook(call: Call, parts: ServiceParts): Promise<Reply> {
  const body = readObject(call, 'text')
  if (typeof body.requestId === 'string') call.info.requestId = body.requestId
  const { fields, problems } = readFields(simulateRequest, body, call)
  if (problems.some(({ path }) => path[0] === 'clientId')) throw invalid(problems, call.settings, 'text')
  requireOwnClientId(String(body.clientId), call.client, 'body', parts.clients)
  if (fields === null) throw invalid(problems, call.settings, 'text')

  const types = ['CHECKOUT', 'PAYOUT', call.settings['orders.cryptoPayinType']]
  if (!types.includes(fields.orderType)) {
    const message = `must be one of ${types.join(', ')}`
    throw invalid([{ path: ['orderType'], message }], call.settings, 'text')
  }
  if (call.client.webhookUrl === null) {
    const message = 'no webhook URL is registered; set one with POST /v1/client/webhook-url'
    throw invalid([{ path: ['webhookUrl'], message }], call.settings, 'text', noWebhookUrl)
  }
  call.notes.push(...strangeValues(fields, call.settings))
  const orders = await parts.store.ordersOf(call.client.clientId, fields.requestId)
  await call.faults.passed(orders, call.client, fields.requestId)
  const id = await simulate(call.client, fields, parts)
  parts.feed.emit({ type: 'deliveries', change: 'made', clientId: call.client.clientId, ids: [id] })
  return { body: JSON.stringify({ message: 'Webhook simulated' }), about: orders }
}

/** Notes unknown values of a simulated webhook, which is still sent: a client should cope with them (N52). */
function strangeValues(
  event: { orderStatus: string; errorCode?: string | undefined },
  settings: Settings,
): string[] {
  const notes: string[] = []
  const printed: readonly string[] = printedOrderStatuses
  if (!printed.includes(event.orderStatus)) {
    notes.push(`orderStatus "${event.orderStatus}" is not one of ${printed.join(', ')}`)
  }
  const codes = knownErrorCodes(settings)
  if (event.errorCode !== undefined && !codes.includes(event.errorCode)) {
    notes.push(`errorCode "${event.errorCode}" is not one of ${codes.join(', ')}`)
  }
  return notes
}
