import { Hono } from 'hono'
import { readListQuery } from './input.ts'
import type { ControlParts } from './parts.ts'

/** `/requests`: the journal. */
export function requestRoutes({ journal, store }: ControlParts): Hono {
  const app = new Hono()
  app.get('/', async (c) => {
    const { items, next } = await journal.list(readListQuery(c))
    return c.json({ items, next, pruned: await store.prunedRequests() })
  })
  app.get('/:id', async (c) => c.json(await journal.get(c.req.param('id'))))
  return app
}
