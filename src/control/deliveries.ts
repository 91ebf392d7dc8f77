import { Hono } from 'hono'
import type { Delivery } from '../domain/delivery.ts'
import { EmulatorError } from '../domain/errors.ts'
import { noQuery, readListQuery, readQuery } from './input.ts'
import type { ControlParts } from './parts.ts'

/** `/deliveries`: list and read, each with its attempts. */
export function deliveryRoutes(parts: ControlParts): Hono {
  const app = new Hono()
  app.get('/', async (c) => {
    const { items, next } = await parts.store.listDeliveries(readListQuery(c))
    return c.json({ items: items.map(presentDelivery), next })
  })
  app.get('/:id', async (c) => {
    readQuery(c, noQuery)
    const id = c.req.param('id')
    const delivery = await parts.store.findDelivery(id)
    if (delivery === null) throw new EmulatorError('delivery_unknown', { id })
    return c.json(presentDelivery(delivery))
  })
  return app
}

/** A delivery as the control API shows it. `bodyText` is what goes over the wire, byte for byte; `body` the same,
 *  easier to read. */
function presentDelivery(delivery: Delivery): object {
  const { sequence: _, body, attempts, ...rest } = delivery
  return { ...rest, body: JSON.parse(body), bodyText: body, attempts }
}
