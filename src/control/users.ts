import { Hono } from 'hono'
import { z } from 'zod'
import { clientQuery, pageLimit, readQuery } from './input.ts'
import type { ControlParts } from './parts.ts'

const usersQuery = clientQuery.extend({ cursor: z.string().optional(), limit: pageLimit })

/** `/users`: the people for whom orders were made. Whoever sent a `userId` is known by it, all others by their
 *  e-mail (R29). */
export function userRoutes({ store }: ControlParts): Hono {
  const app = new Hono()
  app.get('/', async (c) => {
    const { limit = 100, ...query } = readQuery(c, usersQuery)
    return c.json(await store.listUsers({ ...query, limit }))
  })
  return app
}
