import type { Order } from '../../../src/domain/order/order.ts'
import { EmulatorError } from '../../../src/domain/text/errors.ts'
import { fits, type Members } from '../../../src/domain/text/where.ts'
import type { ListQuery, Page, Store, User } from '../../../src/store/store.ts'
import type { Placed } from './state.ts'

interface ListSpec<T> {
  /** Begins the list's cursors, so that those of another list are refused. */
  readonly letter: string
  /** The members that `where` may ask for. */
  readonly members: readonly string[]
  /** A thing with the members that a query can ask for. */
  shown(thing: T): Members
  /** The texts that a search looks into. */
  searched(thing: T): readonly (string | null | undefined)[]
}

const filterNames = ['clientId', 'requestId', 'orderId', 'status', 'operation'] as const

/** The page of a list that a query asks for.
 *  @param all what there is, in the order of its making */
export function pageOf<T>(all: Iterable<Placed<T>>, spec: ListSpec<T>, query: ListQuery): Page<T> {
  const { cursor, limit, newestFirst = false } = query
  const behind = cursor === undefined ? null : placeOf(spec.letter, cursor)
  const isBehind = ({ place }: Placed<T>) =>
    behind === null || (newestFirst ? place < behind : place > behind)
  const fitting = [...all].filter((each) => isBehind(each) && isAskedFor(each.thing, spec, query))
  if (newestFirst) fitting.reverse()
  const page = fitting.slice(0, limit)
  const last = fitting.length > limit ? page.at(-1) : undefined
  return {
    items: page.map(({ thing }) => thing),
    next: last === undefined ? null : cursorOf(spec.letter, last.place),
  }
}

function isAskedFor<T>(thing: T, spec: ListSpec<T>, query: ListQuery): boolean {
  const { where = {}, search } = query
  const shown = spec.shown(thing)
  return (
    filterNames.every((name) => query[name] === undefined || isEqual(shown[name], query[name])) &&
    Object.keys(where).every((member) => spec.members.includes(member)) &&
    fits(where, shown) &&
    (search === undefined || spec.searched(thing).some((text) => hasIn(text, search)))
  )
}

const isEqual = (found: unknown, wanted: string) =>
  found !== null && found !== undefined && String(found) === wanted

const hasIn = (text: string | null | undefined, wanted: string) =>
  text?.toLowerCase().includes(wanted.toLowerCase()) ?? false

const cursorOf = (letter: string, place: number) => `${letter}${place}`

/** @throws bad_cursor */
function placeOf(letter: string, cursor: string): number {
  const place = Number(cursor.slice(letter.length))
  if (!Number.isSafeInteger(place) || place < 1 || cursorOf(letter, place) !== cursor)
    throw new EmulatorError('bad_cursor', { cursor })
  return place
}

/** A page of the users of some orders. */
export function usersPage(orders: readonly Order[], query: Parameters<Store['listUsers']>[0]): Page<User> {
  const { clientId, cursor, limit, newestFirst = false } = query
  const mine = orders.filter((order) => clientId === undefined || order.clientId === clientId)
  const users = usersOf(mine).sort((a, b) =>
    a.clientId === b.clientId ? compare(a.userKey, b.userKey) : compare(a.clientId, b.clientId),
  )
  if (newestFirst) users.reverse()
  const left = cursor === undefined ? users : behind(users, cursor, newestFirst)
  const items = left.slice(0, limit)
  const last = items.at(-1)
  return { items, next: last === undefined || last === left.at(-1) ? null : userCursor(last) }
}

/** The users after the user of a cursor, who may be gone.
 *  @throws bad_cursor */
function behind(users: readonly User[], cursor: string, newestFirst: boolean): User[] {
  const [clientId, userKey] = placeOfUser(cursor)
  const order = newestFirst ? -1 : 1
  return users.filter(
    (user) => order * (compare(user.clientId, clientId) || compare(user.userKey, userKey)) > 0,
  )
}

/** @throws bad_cursor */
function placeOfUser(cursor: string): [clientId: string, userKey: string] {
  const [, clientId, userKey] = /^u(\w*)\.(\w*)$/.exec(cursor)?.map(fromHex) ?? []
  if (clientId === undefined || userKey === undefined) throw new EmulatorError('bad_cursor', { cursor })
  return [clientId, userKey]
}

function usersOf(orders: readonly Order[]): User[] {
  const keyOf = ({ clientId, email, request }: Order) => JSON.stringify([clientId, request.userId ?? email])
  return [...Map.groupBy(orders, keyOf).values()].flatMap((theirs) => {
    const [first] = theirs
    const [email = ''] = theirs.map((order) => order.email).sort((a, b) => compare(b, a))
    const userId = theirs.map(({ request }) => request.userId).find((id) => id !== undefined)
    if (first === undefined) return []
    const known = { clientId: first.clientId, userKey: userId ?? email, email, orders: theirs.length }
    return userId === undefined ? known : { ...known, userId }
  })
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const userCursor = ({ clientId, userKey }: User): string => `u${toHex(clientId)}.${toHex(userKey)}`

const toHex = (text: string) => Buffer.from(text).toString('hex')
const fromHex = (text: string) => Buffer.from(text, 'hex').toString()
