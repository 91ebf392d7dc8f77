import { EmulatorError } from '../../domain/errors.ts'
import type { Store, User } from '../store.ts'
import type { Connection } from './connection.ts'

/** The people for whom orders were made, as far as the orders tell (R29). */
export function userVerbs({ sqlite }: Connection): Pick<Store, 'listUsers'> {
  const page = (orders: string, after: '<' | '>') =>
    sqlite.prepare<[...(string | number)[]], Row>(
      `select client_id as clientId, user_key as userKey, max(email) as email, max(user_id) as userId,
              count(*) as orders
       from (
         select client_id, email, request ->> '$.userId' as user_id,
                coalesce(request ->> '$.userId', email) as user_key
         from ${orders}
       )
       group by client_id, user_key
       having (client_id, user_key) ${after} (?, ?)
       order by client_id ${direction(after)}, user_key ${direction(after)}
       limit +?`,
    )
  const pages = (after: '<' | '>') => ({
    ofAll: page('orders', after),
    ofOne: page('orders where client_id = +?', after),
  })
  const [upwards, downwards] = [pages('>'), pages('<')]
  return {
    listUsers: async ({ clientId, cursor, limit, newestFirst = false }) => {
      const first = newestFirst ? [beyondAll, ''] : ['', '']
      const after = cursor === undefined ? first : placeOf(cursor)
      const { ofAll, ofOne } = newestFirst ? downwards : upwards
      const rows =
        clientId === undefined ? ofAll.all(...after, limit + 1) : ofOne.all(clientId, ...after, limit + 1)
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

interface Row extends Omit<User, 'userId'> {
  readonly userId: string | null
}

const cursorOf = ({ clientId, userKey }: User): string =>
  `u${Buffer.from(JSON.stringify([clientId, userKey])).toString('base64url')}`

/** @throws bad_cursor */
function placeOf(cursor: string): [string, string] {
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
