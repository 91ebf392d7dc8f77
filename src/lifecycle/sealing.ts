import { faultsAt } from '../domain/attempt-faults.ts'
import type { Settings } from '../domain/choices.ts'
import type { Decision } from '../domain/decision.ts'
import type { NewDelivery } from '../domain/delivery.ts'
import { wrongKey } from '../domain/signature.ts'

/** A decision with its webhooks as they go over the wire. */
export async function sealedDecision(
  decision: Decision,
  settings: Settings,
  apiSecret: string,
): Promise<Decision> {
  const { events, opens } = decision
  return {
    ...decision,
    events: await Promise.all(events.map((event) => sealedDelivery(event, settings, apiSecret))),
    opens: opens && (await sealedDecision(opens, settings, apiSecret)),
  }
}

/** A delivery with its body as it goes over the wire. What a scenario wants sent as it is stays so, and the token of
 *  what it wants forged has a key that is not the client's. */
export async function sealedDelivery<D extends Pick<NewDelivery, 'body' | 'verbatim' | 'plan'>>(
  delivery: D,
  settings: Settings,
  apiSecret: string,
): Promise<D> {
  if (delivery.verbatim) return delivery
  const isForged = faultsAt(delivery.plan, 1).sign === 'wrong'
  const key = isForged ? wrongKey(apiSecret) : apiSecret
  return { ...delivery, body: await sealed(delivery.body, settings, key) }
}

/** A webhook body as it goes over the wire: in the format `jwt` a token of it, keyed with the client's API secret,
 *  in `{"payload":"..."}`; in the others as it is (N36). The token holds nothing else, no time of its making, so
 *  that it is the same whenever it is made. */
export async function sealed(body: string, settings: Settings, apiSecret: string): Promise<string> {
  if (settings['webhook.format'] !== 'jwt') return body
  // Loaded late: hardly anybody needs it.
  const { SignJWT } = await import('jose')
  const token = await new SignJWT(JSON.parse(body))
    .setProtectedHeader({ alg: settings['webhook.jwtAlgorithm'], typ: 'JWT' })
    .sign(new TextEncoder().encode(apiSecret))
  return JSON.stringify({ payload: token })
}
