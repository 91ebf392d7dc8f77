import * as z from 'zod'
import { client as clientShape } from '../../../control/shapes/client.ts'
import { pageOf } from '../../../control/shapes/common.ts'
import { delivery as deliveryShape } from '../../../control/shapes/delivery.ts'
import { order as orderShape } from '../../../control/shapes/order.ts'
import { journalEntry } from '../../../control/shapes/request.ts'
import { sequence as sequenceShape } from '../../../control/shapes/sequence.ts'
import { settingsAnswer } from '../../../control/shapes/settings.ts'
import { knownErrorCodes } from '../../../domain/order/statuses.ts'
import type { Sequence } from '../../../domain/sequence/sequence.ts'
import type { ControlApi } from '../../framework/control-api.ts'
import type { ShownOrder, Sources } from './timeline-events.ts'

/** The maximum number of deliveries or requests that an order's page reads. */
const most = '200'

/** The number of a subscription's latest charges that are shown. */
const mostCharges = '50'

/** The data of an order's page. */
export interface OrderSources extends Sources {
  /** The order as JSON text, exactly as the control API answered. */
  readonly text: string
  /** The error codes that have a description. */
  readonly errorCodes: readonly string[]
  readonly client: z.output<typeof clientShape>
  /** The first order of its subscription, which holds it; itself for other kinds. */
  readonly first: ShownOrder
  /** The latest orders of its subscription, itself included, newest first. */
  readonly family: readonly ShownOrder[]
  readonly sequence: Sequence
  /** Whether its subscription has older ones. */
  readonly hasMore: boolean
}

/** Reads an order and everything about it.
 *  @throws Refused */
export async function readOrder(
  api: ControlApi,
  orderId: string,
  clientId: string | undefined,
): Promise<OrderSources> {
  const text = await api.text(`/orders/${encodeURIComponent(orderId)}`, { clientId })
  const order = orderShape.parse(JSON.parse(text))
  const whose = { clientId: order.clientId }
  const about = { ...whose, requestId: order.requestId, order: 'newest', limit: most }
  const [client, { effective }, deliveries, requests, sequence, family, firsts] = await Promise.all([
    api.get(`/clients/${encodeURIComponent(order.clientId)}`, clientShape),
    api.get('/settings', settingsAnswer, whose),
    api.get('/deliveries', pageOf(deliveryShape), {
      ...whose,
      orderId: orderId,
      order: 'newest',
      limit: most,
    }),
    api.get('/requests', pageOf(journalEntry).loose(), about),
    api.get(`/orders/${encodeURIComponent(orderId)}/sequence`, sequenceShape, whose),
    order.kind === 'subscription'
      ? api.get('/orders', pageOf(orderShape), { ...about, kind: 'subscription', limit: mostCharges })
      : null,
    order.kind === 'subscription' && order.charge > 1
      ? api.get('/orders', pageOf(orderShape), { ...about, kind: 'subscription', charge: '1' })
      : null,
  ])
  const ofOneRequest = ({ requestId }: { requestId: string | null }) => requestId === order.requestId
  // The search with a trailing star also finds longer requestIds, so they are filtered.
  const charges = family?.items.filter(ofOneRequest) ?? []
  const [first = order] = firsts?.items.filter(ofOneRequest) ?? []
  return {
    ...{
      text,
      order,
      client,
      now: client.clock.now,
      errorCodes: errorCodes(effective),
      settings: effective,
      sequence,
      first,
      family: charges.some(({ orderId: id }) => id === order.orderId) ? charges : [...charges, order],
    },
    deliveries: deliveries.items.filter((one) => one.orderId === order.orderId).toReversed(),
    hasMore: (family?.next ?? null) !== null,
    requests: requests.items.filter(ofOneRequest).filter(concerns(order)).toReversed(),
    charges: order.charge === 1 ? charges.filter(({ charge }) => charge > 1).toReversed() : [],
  }
}

/** A later charge is not concerned by requests from before it. */
const concerns =
  ({ charge, createdAt }: ShownOrder) =>
  ({ at }: { at: number }): boolean =>
    charge === 1 || at >= createdAt

const errorCatalog = z.record(z.string(), z.string()).catch({})

const errorCodes = (settings: Readonly<Record<string, unknown>>): string[] =>
  knownErrorCodes({ 'errors.catalog': errorCatalog.parse(settings['errors.catalog']) })
