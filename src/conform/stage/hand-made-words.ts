import type { HandMadeDelivery } from '../../index.ts'

/** A webhook that is sent by hand, for the time line: `has a webhook of COMPLETED sent by hand, with tamper true`. The
 *  bytes themselves stand with the finding. */
export function handMadeWords({ event, body, clientId: _, ...oddities }: HandMadeDelivery): string {
  const which = event?.orderStatus === undefined ? '' : ` of ${event.orderStatus}`
  const own = body === undefined ? [] : ['its own body']
  const odd = Object.entries(oddities).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  const words = [...own, ...odd].join(', ')
  return `has a webhook${which} sent by hand${words === '' ? '' : `, with ${words}`}`
}
