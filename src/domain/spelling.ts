import type { WebhookEvent } from './payload.ts'
import type { Spelling } from './scenario/webhook-rules.ts'

/** A webhook's body, written otherwise: any JSON parser reads the same, but for an `errorCode` that is null instead of
 *  absent. A body that is no JSON stays as it is. */
export function respelled(body: string, spelling: Spelling, { errorCode }: WebhookEvent): string {
  if (!body.startsWith('{')) return body
  const fields: Readonly<Record<string, unknown>> = JSON.parse(body)
  if (spelling === 'null-error')
    return errorCode === undefined ? JSON.stringify({ ...fields, errorCode: null }) : body
  return JSON.stringify(Object.fromEntries(Object.entries(fields).reverse()), null, 2)
}
