import type { Database } from 'better-sqlite3'
import { asc, type InferInsertModel } from 'drizzle-orm'
import type { Client, ClockState } from '../../domain/client.ts'
import type { ClientChange } from '../../domain/decision.ts'
import { EmulatorError } from '../../domain/errors.ts'
import type { Store } from '../store.ts'
import type { Connection } from './connection.ts'
import { once } from './parameter.ts'
import { inserter, updater } from './rows.ts'
import { clients } from './schema.ts'
import { isTaken } from './sqlite-errors.ts'

/** Clients and their clocks. */
export function clientVerbs(
  connection: Connection,
): Pick<Store, 'createClient' | 'saveClient' | 'clients' | 'saveClocks'> {
  const { sqlite, db, write } = connection
  const insert = clientInserter(connection)
  const update = updater<typeof clients, (typeof neverChanged)[number], [clientId: string]>(
    sqlite,
    clients,
    neverChanged,
    { where: 'client_id = ?' },
  )
  const updateClock = clockUpdate(sqlite)
  const all = once(() => db.select(clientColumns).from(clients).orderBy(asc(clients.seq)).prepare())

  return {
    createClient: (client) => write(() => insert(client)),

    saveClient: (client) =>
      write(() => {
        const { changes } = unlessTaken(client, () => update(rowOf(client), client.clientId))
        if (changes === 0) throw new EmulatorError('client_unknown', { clientId: client.clientId })
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
export function clientInserter({ sqlite }: Connection): (client: Client) => void {
  const insert = inserter(sqlite, clients)
  return (client) => void unlessTaken(client, () => insert(rowOf(client)))
}

/** Writes what an order's scenario makes of its client, part of a commit. */
export function clientChanger({ sqlite }: Connection): (clientId: string, change: ClientChange) => void {
  const update = sqlite.prepare<[string | null, number, string, number, number | null, string]>(
    `update clients set webhook_url = ?, webhook_paused = ?, settings = ?, own_token_expired = ?,
     tokens_refused_until = ? where client_id = ?`,
  )
  const expire = sqlite.prepare<[number, string]>(
    'update tokens set expires_at = min(expires_at, +?) where client_id = ?',
  )
  return (clientId, { webhookUrl, webhookPaused, settings, tokensExpireAt, ...tokens }) => {
    const { ownTokenExpired, tokensRefusedUntil } = tokens
    const flags = [Number(webhookPaused), JSON.stringify(settings), Number(ownTokenExpired)] as const
    update.run(webhookUrl, ...flags, tokensRefusedUntil, clientId)
    if (tokensExpireAt !== null) expire.run(tokensExpireAt, clientId)
  }
}

function unlessTaken<T>({ clientId }: Client, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (isTaken(error)) throw new EmulatorError('client_exists', { clientId })
    throw error
  }
}

/** Nor is the number of planned faults: it is counted here. */
const neverChanged = ['clientId', 'beganAt', 'beganWallAt', 'plannedFaults'] as const

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

function rowOf(client: Client): InferInsertModel<typeof clients> {
  const { mode, speed, anchor, anchorWall } = client.clock
  return {
    ...client,
    ...{ clockMode: mode, clockSpeed: speed, clockAnchor: anchor, clockAnchorWall: anchorWall },
    ...{ beganAt: client.began.at, beganWallAt: client.began.wallAt, plannedFaults: 0 },
  }
}
