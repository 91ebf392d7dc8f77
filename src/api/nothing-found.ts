import type { Client } from '../domain/client.ts'
import { isPlaceholder } from '../domain/diagnosis/placeholder.ts'
import { requestIdSpellings } from '../domain/diagnosis/request-id-spellings.ts'
import type { ServiceParts } from './call.ts'

/** What a lookup that finds nothing may have meant, for the journal: a handful of looks at the orders at most.
 *  It is no refusal, the answer is an empty list. */
export async function nothingFound(
  requestId: string,
  { clientId }: Client,
  { store, clients }: Pick<ServiceParts, 'store' | 'clients'>,
): Promise<string[]> {
  const nothing = `no order of "${clientId}" has the requestId ${shown(requestId)}`
  for (const spelling of requestIdSpellings(requestId)) {
    const found = await store.ordersOf(clientId, spelling.requestId)
    if (found.length > 0) return [`${nothing}, but one has ${shown(spelling.requestId)}: ${spelling.words}`]
  }
  const byOrderId = await store.findOrder(requestId)
  if (byOrderId?.clientId === clientId)
    return [`${nothing}; this is the orderId of the one with ${shown(byOrderId.requestId)}`]
  if (clients.count > 1 && (await store.usedByAnotherClient(clientId, requestId)))
    return [`${nothing}, but one of another client has`]
  return isPlaceholder(requestId) ? [`${nothing}: it looks like a placeholder`] : []
}

const shown = (text: string) => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
