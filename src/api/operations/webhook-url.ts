import type { JsonObject } from '../../http/body.ts'
import { requireOwnClientId } from '../authentication.ts'
import type { Call, Handler } from '../call.ts'
import { webhookUrlRequest } from '../contract/requests.ts'
import { readFields, readObject } from '../input.ts'
import { invalid, verificationFailed } from '../refusal.ts'

/** Handles `POST /v1/client/webhook-url` and `/v1/client/fiat/webhook-url` (R105-R107, N49, N50). Besides the token,
 *  the header `client-id` is required (R108).
 *  @param path which of the two paths */
export function updateWebhookUrl(path: 'short' | 'fiat'): Handler {
  return async (call, parts) => {
    const body = readObject(call, 'text')
    const clientId = call.header('client-id')
    if (clientId === undefined || clientId === '') {
      throw verificationFailed({
        cause: 'clientId.missing',
        message: `clientId: the header \`client-id\` is missing${elsewhere(call, body)}`,
      })
    }
    requireOwnClientId(clientId, call.client, 'header `client-id`', parts.clients)
    const { fields, problems } = readFields(webhookUrlRequest, body, call)
    if (fields === null) throw invalid(problems, call.settings, 'text')
    const generation = parts.clients.generationOf(clientId)
    await call.faults.passed([], call.client, null)
    call.notes.push(`webhook-url path: ${path}`)
    await parts.clients.update(clientId, { webhookUrl: fields.webhookUrl }, generation)
    return { body: JSON.stringify({ message: 'Webhook URL updated' }) }
  }
}

/** Finds a clientId that was sent in the wrong place. */
function elsewhere({ header, query }: Call, body: JsonObject): string {
  const name = ['clientid', 'client_id', 'x-client-id'].find((each) => header(each) !== undefined)
  if (name !== undefined) return `; it is in the header \`${name}\``
  if (query().has('clientId')) return '; it is in the query'
  return body.clientId === undefined ? '' : '; it is in the body'
}
