import type { Database } from 'better-sqlite3'
import { asc, eq, type InferInsertModel } from 'drizzle-orm'
import type { Client, ClockState } from '../../domain/client.ts'
import type { ClientChange } from '../../domain/decision.ts'
import { EmulatorError } from '../../domain/errors.ts'
import type { Store } from '../store.ts'
import type { Connection } from './connection.ts'
import { once } from './parameter.ts'
import { clients } from './schema.ts'
import { isTaken } from './sqlite-errors.ts'

/** Clients and their clocks. */
export function clientVerbs(
  connection: Connection,
): Pick<Store, 'createClient' | 'saveClient' | 'clients' | 'saveClocks'> {
  const { sqlite, db, write } = connection
  const updateClock = clockUpdate(sqlite)
  const all = once(() => db.select(clientColumns).from(clients).orderBy(asc(clients.seq)).prepare())

  return {
    createClient: (client) => write(() => insertClient(connection, client)),

    saveClient: (client) =>
      write(() => {
        // Those never change, and SQLite would look through all that refers to a clientId that is written again.
        const { clientId, beganAt: _, beganWallAt: __, ...row } = toRow(client)
        const { changes } = unlessTaken(client, () =>
          db.update(clients).set(row).where(eq(clients.clientId, clientId)).run(),
        )
        if (changes === 0) throw new EmulatorError('client_unknown', { clientId })
      }),

    clients: async () => all().all(),

    saveClocks: (clocks) =>
      write(() => {
        for (const { clientId, clock } of clocks) updateClock(clientId, clock)
      }),
  }
}

/** Sets a client's clock in a database; passes over unknown clients. */
export function clockUpdate(sqlite: Database): (clientId: string, clock: ClockState) => void {
  const update = sqlite.prepare<[string, number, number, number, string]>(
    'update clients set clock_mode = ?, clock_speed = ?, clock_anchor = ?, clock_anchor_wall = ? where client_id = ?',
  )
  return (clientId, { mode, speed, anchor, anchorWall }) =>
    void update.run(mode, speed, anchor, anchorWall, clientId)
}

/** Inserts a client, part of a write. @throws client_exists */
export function insertClient({ db }: Connection, client: Client): void {
  unlessTaken(client, () => db.insert(clients).values(toRow(client)).run())
}

/** Writes what an order's scenario makes of its client, part of a commit. */
export function clientChanger({ sqlite, db }: Connection): (clientId: string, change: ClientChange) => void {
  const expire = sqlite.prepare<[number, string]>(
    'update tokens set expires_at = min(expires_at, +?) where client_id = ?',
  )
  return (clientId, { tokensExpireAt, ...change }) => {
    db.update(clients).set(change).where(eq(clients.clientId, clientId)).run()
    if (tokensExpireAt !== null) expire.run(tokensExpireAt, clientId)
  }
}

/** Does what fails if the clientId or a token is another's already. @throws client_exists */
export function unlessTaken<T>({ clientId }: Pick<Client, 'clientId'>, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (isTaken(error)) throw new EmulatorError('client_exists', { clientId })
    throw error
  }
}

const clientColumns = {
  clientId: clients.clientId,
  apiSecret: clients.apiSecret,
  accessToken: clients.accessToken,
  webhookSecret: clients.webhookSecret,
  webhookUrl: clients.webhookUrl,
  webhookPaused: clients.webhookPaused,
  defaultScenario: clients.defaultScenario,
  clock: {
    mode: clients.clockMode,
    speed: clients.clockSpeed,
    anchor: clients.clockAnchor,
    anchorWall: clients.clockAnchorWall,
  },
  began: { at: clients.beganAt, wallAt: clients.beganWallAt },
  settings: clients.settings,
  ownTokenExpired: clients.ownTokenExpired,
  tokensRefusedUntil: clients.tokensRefusedUntil,
  holds: clients.holds,
}

function toRow({ clock, began, ...client }: Client): InferInsertModel<typeof clients> {
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
