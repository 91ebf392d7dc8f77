import { controlCall, noBody } from './control-call.ts'
import { clientQuery, paging, searchIn } from './input.ts'
import { json } from './json-answer.ts'
import { nextDueOf } from './next-due.ts'
import { pageAfter } from './page-after.ts'
import { fits } from './search-clients.ts'
import { dueClock } from './shapes/due-clocks.ts'
import { pageOf } from './shapes/page.ts'
import { nullIfGone } from './walk-clocks.ts'

/** `/clocks`: every clock, with what is due next. */
export const clocksCalls = [
  controlCall({
    method: 'GET',
    path: '/clocks',
    name: 'listClocks',
    summary: 'List the clocks, each with its next due events',
    query: clientQuery.extend({ ...searchIn('clientId', 'webhookUrl'), ...paging }),
    body: noBody,
    answers: { 200: pageOf(dueClock) },
    errors: ['bad_cursor'],
    handle: async ({ query: { clientId, search, ...page } }, parts) => {
      const { clients, scheduler } = parts
      const listed = clientId === undefined ? clients.all() : [clients.get(clientId)]
      const found = listed.filter((client) => fits(client, search))
      const { items, next } = pageAfter(found, (client) => client.clientId, page)
      const clocks = await Promise.all(
        items.map(async ({ clientId: id }) => {
          const { mode, speed } = scheduler.clockState(id)
          const now = scheduler.now(id)
          return { clientId: id, mode, now, speed, next: await nextDueOf(id, parts).catch(nullIfGone) }
        }),
      )
      return json({ items: clocks, next })
    },
  }),
]
