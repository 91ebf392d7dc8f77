import { Hono } from 'hono'
import { noQuery, readListQuery, readQuery } from './input.ts'
import type { ControlParts } from './parts.ts'

/** `/requests`: the journal. */
export function requestRoutes({ journal, store }: ControlParts): Hono {
  const app = new Hono()
  app.get('/', async (c) => {
    const { items, next } = await journal.list(readListQuery(c))
    return c.json({ items, next, pruned: await store.prunedRequests() })
  })
  app.get('/:id', async (c) => {
    readQuery(c, noQuery)
    return c.json(await journal.get(c.req.param('id')))
  })
  return app
}
