import { controlCall, noBody } from './control-call.ts'
import { clientQuery, paging } from './input.ts'
import { json } from './json-answer.ts'
import { pageOf } from './shapes/page.ts'
import { user } from './shapes/user.ts'

/** `/users`: the people for whom orders were made. Whoever sent a `userId` is known by it, all others by their
 *  e-mail (R29). */
export const userCalls = [
  controlCall({
    method: 'GET',
    path: '/users',
    name: 'listUsers',
    summary: 'List the users with their orders',
    query: clientQuery.extend(paging),
    body: noBody,
    answers: { 200: pageOf(user) },
    errors: ['bad_cursor'],
    handle: async ({ query: { limit = 100, order, ...query } }, { store }) =>
      json(await store.listUsers({ ...query, limit, newestFirst: order === 'newest' })),
  }),
]
