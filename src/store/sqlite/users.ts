import { EmulatorError } from '../../domain/errors.ts'
import type { Store, User } from '../store.ts'
import type { Connection } from './connection.ts'

/** The people for whom orders were made, as far as the orders tell (R29). */
export function userVerbs({ sqlite }: Connection): Pick<Store, 'listUsers'> {
  const usersOf = (after: '<' | '>') =>
    sqlite.prepare<[clientId: string, afterClient: string, afterKey: string, limit: number], Row>(
      `select client_id as clientId, user_key as userKey, max(email) as email, max(user_id) as userId,
              count(*) as orders
       from (
         select client_id, email, request ->> '$.userId' as user_id,
                coalesce(request ->> '$.userId', email) as user_key
         from orders where client_id = +?
       )
       group by client_id, user_key
       having (client_id, user_key) ${after} (?, ?)
       order by client_id ${direction(after)}, user_key ${direction(after)}
       limit +?`,
    )
  const clientsFrom = (after: '<' | '>') =>
    sqlite
      .prepare<[string], string>(
        `select client_id from clients where client_id ${after}= +? order by client_id ${direction(after)}`,
      )
      .pluck()
  const upwards = { clients: clientsFrom('>'), users: usersOf('>') }
  const downwards = { clients: clientsFrom('<'), users: usersOf('<') }
  return {
    listUsers: async ({ clientId, cursor, limit, newestFirst = false }) => {
      const first: Place = newestFirst ? [beyondAll, ''] : ['', '']
      const [afterClient, afterKey] = cursor === undefined ? first : placeOf(cursor)
      const { clients, users } = newestFirst ? downwards : upwards
      const rows: Row[] = []
      // Client by client: a page ends long before all orders have been looked at.
      for (const each of clientId === undefined ? clients.all(afterClient) : [clientId]) {
        if (rows.length > limit) break
        rows.push(...users.all(each, afterClient, afterKey, limit + 1 - rows.length))
      }
      const items = rows
        .slice(0, limit)
        .map(({ userId, ...user }) => (userId === null ? user : { ...user, userId }))
      const last = rows.length > limit ? items.at(-1) : undefined
      return { items, next: last === undefined ? null : cursorOf(last) }
    },
  }
}

/** The last of all characters: no name comes after it. */
const beyondAll = '\u{10ffff}'

const direction = (after: '<' | '>') => (after === '<' ? 'desc' : 'asc')

type Place = readonly [clientId: string, userKey: string]

interface Row extends Omit<User, 'userId'> {
  readonly userId: string | null
}

const cursorOf = ({ clientId, userKey }: User): string =>
  `u${Buffer.from(JSON.stringify([clientId, userKey])).toString('base64url')}`

/** @throws bad_cursor */
function placeOf(cursor: string): Place {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor.slice(1), 'base64url').toString())
    const [clientId, userKey] = Array.isArray(place) ? place : []
    if (cursor.startsWith('u') && typeof clientId === 'string' && typeof userKey === 'string') {
      return [clientId, userKey]
    }
  } catch {
    // Told below.
  }
  throw new EmulatorError('bad_cursor', { cursor })
}
