import { EmulatorError } from '../../domain/errors.ts'
import type { Store, User } from '../store.ts'
import type { Connection } from './connection.ts'

/** The people for whom orders were made, as far as the orders tell (R29). */
export function userVerbs({ prepare, values, read }: Connection) {
  return {
    listUsers: ({ clientId, cursor, limit, newestFirst = false }) =>
      read(() => {
        const [beyond, direction] = newestFirst ? (['<', 'desc'] as const) : (['>', 'asc'] as const)
        const first: Place = newestFirst ? [beyondAll, ''] : ['', '']
        const place = cursor === undefined ? first : placeOf(cursor)
        const clients = `
          select client_id from clients where client_id ${beyond}= +? order by client_id ${direction}`
        const users = prepare<[clientId: string, ...Place, limit: number], Row>(`
          select client_id as clientId, coalesce(request ->> '$.userId', email) as userKey, max(email) as email,
            max(request ->> '$.userId') as userId, count(*) as orders
          from orders where client_id = +?
          group by client_id, userKey having (client_id, userKey) ${beyond} (?, ?)
          order by userKey ${direction} limit +?`)
        const rows: Row[] = []
        // Client by client: a page ends long before all orders have been looked at.
        for (const each of clientId === undefined ? values<string>(clients, place[0]) : [clientId]) {
          if (rows.length > limit) break
          rows.push(...users.all(each, ...place, limit + 1 - rows.length))
        }
        const items = rows
          .slice(0, limit)
          .map(({ userId, ...user }) => (userId === null ? user : { ...user, userId }))
        const last = rows.length > limit ? items.at(-1) : undefined
        return { items, next: last === undefined ? null : cursorOf(last) }
      }),
  } satisfies Partial<Store>
}

/** The last of all characters: no name comes after it. */
const beyondAll = '\u{10ffff}'

type Place = readonly [clientId: string, userKey: string]

interface Row extends Omit<User, 'userId'> {
  readonly userId: string | null
}

const cursorOf = ({ clientId, userKey }: Pick<User, 'clientId' | 'userKey'>): string =>
  `u${[clientId, userKey].map((text) => Buffer.from(text).toString('base64url')).join('.')}`

/** @throws bad_cursor */
function placeOf(cursor: string): Place {
  const [clientId = '', userKey = ''] = cursor
    .slice(1)
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString())
  // Base64 forgives much, but only what a page gave comes out as it went in.
  if (cursorOf({ clientId, userKey }) !== cursor) throw new EmulatorError('bad_cursor', { cursor })
  return [clientId, userKey]
}
