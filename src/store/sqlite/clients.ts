import { eq, getTableColumns, type InferInsertModel } from 'drizzle-orm'
import type { Client, Generation, IssuedToken } from '../../domain/client/client.ts'
import type { WorldClient } from '../../domain/fixture/world.ts'
import type { ClientChange } from '../../domain/order/decision.ts'
import { EmulatorError } from '../../domain/text/errors.ts'
import type { Store } from '../store.ts'
import { type RowOf, selector } from './rows.ts'
import { clients, tokens } from './schema.ts'
import type { Connection } from './writer.ts'
import { isTaken } from './writer.ts'

/** Orders of a client are created in the order of `createdAt`, except those decided at the same time. So the newest
 *  time is on one of the last orders, and a million older ones need no reading. */
const newestMoment = `
  select max(created_at) from (select created_at from orders where client_id = +? order by seq desc limit 1000)`

/** The verbs for clients, their clocks, and their issued tokens. */
export function clientVerbs(connection: Connection) {
  const { sqlite, db, run, value, read, write } = connection
  const all = selector(sqlite, clientColumns)('order by seq')
  const { seq: _, ...tokenColumns } = getTableColumns(tokens)
  const allTokens = selector(sqlite, tokenColumns)('order by seq')

  return {
    createClient: (client) => write(() => insertClient(connection, client)),

    saveClient: (client, tokensEndAt) =>
      write(() => {
        // Columns that never change are not written again, because SQLite would check all references to a clientId.
        const { clientId, beganAt: _, beganWallAt: __, ...row } = toRow(client)
        refuseUnknown(connection, clientId)
        refuseTaken(connection, clientId, row.accessToken)
        db.update(clients).set(row).where(eq(clients.clientId, clientId)).run()
        if (tokensEndAt !== undefined) endTokens(connection, clientId, tokensEndAt)
      }),

    clients: () =>
      read(() =>
        all().map((row) => ({
          client: toClient(row),
          generation: row.generation,
          newestMoment: value<number | null>(newestMoment, row.clientId) ?? null,
        })),
      ),

    saveClocks: (clocks) =>
      write(() => {
        for (const { clientId, generation, clock } of clocks)
          run(clockUpdate, { ...clock, clientId, generation })
      }),

    saveToken: (token, generation, forgetBefore, othersEndAt) =>
      write(() => {
        const { clientId } = token
        refuseEnded(connection, clientId, generation)
        if (othersEndAt !== undefined) endTokens(connection, clientId, othersEndAt)
        insertToken(connection, token)
        run('delete from tokens where client_id = ? and expires_at < ?', clientId, forgetBefore)
      }),

    tokens: () => read(() => allTokens()),
  } satisfies Partial<Store>
}

const clockUpdate = `
  update clients set clock_mode = :mode, clock_speed = :speed, clock_anchor = :anchor, clock_anchor_wall = :anchorWall
  where client_id = :clientId and generation = :generation`

// ---- helpers that run inside the transaction of a write ------------------------------------------------

/** Makes a client's issued tokens expire at a time, unless they expire before. */
function endTokens({ run }: Connection, clientId: string, at: number): void {
  run('update tokens set expires_at = min(expires_at, +?) where client_id = ?', at, clientId)
}

/** Refuses a write that was decided before the client was reset.
 *  @throws world_ended */
export function refuseEnded(connection: Connection, clientId: string, generation: Generation): void {
  if (!isCurrent(connection, clientId, generation)) throw new EmulatorError('world_ended')
}

/** Whether a client still has this generation. */
export function isCurrent({ value }: Connection, clientId: string, generation: Generation): boolean {
  return value('select generation from clients where client_id = +?', clientId) === generation
}

/** Returns a generation number that no client ever had. */
export function nextGeneration({ value }: Connection): Generation {
  return value<number>('update world set generation = generation + 1 returning generation') ?? 0
}

/** @throws client_unknown */
export function refuseUnknown({ value }: Connection, clientId: string): void {
  if (value('select 1 from clients where client_id = +?', clientId) === undefined)
    throw new EmulatorError('client_unknown', { clientId })
}

/** Adds a client under a new generation.
 *  @throws client_exists */
export function insertClient(connection: Connection, client: WorldClient): Generation {
  const { clientId, accessToken, plannedFaults = 0 } = client
  refuseTaken(connection, clientId, accessToken)
  const generation = nextGeneration(connection)
  unlessTaken(client, () => connection.insert(clients, { ...toRow(client), plannedFaults, generation }))
  return generation
}

/** Stores an issued token.
 *  @throws client_exists */
export function insertToken(connection: Connection, token: IssuedToken): void {
  refuseTaken(connection, token.clientId, token.token)
  unlessTaken(token, () => connection.insert(tokens, token))
}

/** Refuses a token that is another client's own, or was issued before: a token belongs to one client.
 *  @throws client_exists */
function refuseTaken({ value }: Connection, clientId: string, token: string): void {
  if (value(taken, { clientId, token }) !== undefined) throw new EmulatorError('client_exists', { clientId })
}

const taken = `
  select 1 from clients where access_token = +:token and client_id <> +:clientId
  union all select 1 from tokens where token = +:token and client_id <> +:clientId`

/** Writes the effects of an order's scenario on its client. */
export function changeClient(
  connection: Connection,
  clientId: string,
  { tokensExpireAt, ...change }: ClientChange,
): void {
  connection.db.update(clients).set(change).where(eq(clients.clientId, clientId)).run()
  if (tokensExpireAt !== null) endTokens(connection, clientId, tokensExpireAt)
}

/** Runs a write that fails if the clientId or the token exists.
 *  @throws client_exists */
function unlessTaken({ clientId }: Pick<Client, 'clientId'>, run: () => void): void {
  try {
    run()
  } catch (error) {
    if (isTaken(error)) throw new EmulatorError('client_exists', { clientId })
    throw error
  }
}

// ---- conversion between rows and objects --------------------------------------------------------------

const { seq: _, ...columns } = getTableColumns(clients)

export const clientColumns = columns

/** Converts a row to a client. */
export function toClient(row: RowOf<typeof clientColumns>): Client {
  const { clockMode, clockSpeed, clockAnchor, clockAnchorWall, beganAt, beganWallAt, ...rest } = row
  const { generation: _, plannedFaults: __, ...client } = rest
  return {
    ...client,
    clock: { mode: clockMode, speed: clockSpeed, anchor: clockAnchor, anchorWall: clockAnchorWall },
    began: { at: beganAt, wallAt: beganWallAt },
  }
}

function toRow({
  clock,
  began,
  ...client
}: WorldClient): Omit<InferInsertModel<typeof clients>, 'generation'> {
  return {
    ...client,
    clockMode: clock.mode,
    clockSpeed: clock.speed,
    clockAnchor: clock.anchor,
    clockAnchorWall: clock.anchorWall,
    beganAt: began.at,
    beganWallAt: began.wallAt,
  }
}
