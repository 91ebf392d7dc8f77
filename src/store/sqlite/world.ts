import { EmulatorError } from '../../domain/errors.ts'
import type { Store } from '../store.ts'
import type { Connection } from './connection.ts'
import { once } from './parameter.ts'
import { world } from './schema.ts'

/** What concerns everything at once: the seed, reset, recovery. */
export function worldVerbs(
  connection: Connection,
): Pick<Store, 'seed' | 'commonSettings' | 'saveCommonSettings' | 'reset' | 'deleteClient' | 'recover'> {
  const { sqlite, db, write } = connection
  sqlite.exec('insert into world (id) values (1) on conflict do nothing')
  const seed = sqlite
    .prepare<[string], string>('update world set seed = coalesce(seed, ?) returning seed')
    .pluck()
  const settings = once(() => db.select({ common: world.settings }).from(world).prepare())
  const saveSettings = sqlite.prepare<[string]>('update world set settings = ?')
  const empty = emptier(connection)
  const remove = clientRemover(connection)
  const deleteScenarioTexts = sqlite.prepare('delete from scenario_texts')
  const deleteClients = sqlite.prepare('delete from clients')
  const recover = recovery(connection)

  return {
    seed: (proposed) => write(() => seed.get(proposed) ?? proposed),
    commonSettings: async () => settings().get()?.common ?? {},
    saveCommonSettings: (common) => write(() => void saveSettings.run(JSON.stringify(common))),
    deleteClient: (clientId) =>
      write(
        () => {
          if (!remove(clientId)) throw new EmulatorError('client_unknown', { clientId })
        },
        { isLast: true },
      ),
    reset: ({ clientId, clients, scenarios }) =>
      write(
        () => {
          if (clientId !== undefined && clients) return void remove(clientId)
          empty(clientId)
          if (clientId === undefined) saveSettings.run('{}')
          if (scenarios) deleteScenarioTexts.run()
          if (clients) deleteClients.run()
        },
        { isLast: true },
      ),
    recover: () => write(() => recover()),
  }
}

/** Ends what a crash left open, of one client or of all, part of a write. */
export function recovery({ sqlite }: Connection): (clientId?: string) => void {
  const clientIds = sqlite.prepare<[], string>('select client_id from clients').pluck()
  // Written like this so that both find their rows through the index over what is pending.
  const landAttempts = sqlite.prepare<[string]>(
    `update deliveries set in_flight = 0 where status = 'pending' and client_id = ? and in_flight = 1`,
  )
  const releaseAnswers = sqlite.prepare<[string]>(
    `update deliveries set due_at = created_at + coalesce(plan ->> '$.delayMs', 0)
     where status = 'pending' and client_id = ? and in_flight = 0 and due_at is null`,
  )
  return (clientId) => {
    for (const each of clientId === undefined ? clientIds.all() : [clientId]) {
      landAttempts.run(each)
      releaseAnswers.run(each)
    }
  }
}

/** Removes a client and all that belongs to it, part of a write; answers whether there was one. */
export function clientRemover(connection: Connection): (clientId: string) => boolean {
  const empty = emptier(connection)
  const deleteClient = connection.sqlite.prepare<[string]>('delete from clients where client_id = ?')
  return (clientId) => {
    empty(clientId)
    return deleteClient.run(clientId).changes > 0
  }
}

/** Empties the world of one client or all worlds, part of a write. The clients stay. */
function emptier({ sqlite }: Connection): (clientId: string | undefined) => void {
  const statements = once(() => {
    // Children first. Attempts go with what they belong to.
    const parts = ['deliveries', 'orders', 'tokens', 'bindings', 'requests', 'answer_counts', 'faults']
    const ofOne = [
      // By their orders: no index leads from a client to its deliveries, and to go through those of all takes long.
      'deliveries where order_seq in (select seq from orders where client_id = ?)',
      'deliveries where order_seq is null and client_id = ?',
      ...parts.filter((part) => part !== 'deliveries').map((part) => `${part} where client_id = ?`),
    ]
    // What scenarios have made of the tokens ends with their orders. Faults are counted from the start again.
    const renew = 'update clients set own_token_expired = 0, tokens_refused_until = null, planned_faults = 0'
    return {
      all: [...parts.map((part) => `delete from ${part}`), renew, 'update world set planned_faults = 0'].map(
        (sql) => sqlite.prepare(sql),
      ),
      one: [...ofOne.map((mine) => `delete from ${mine}`), `${renew} where client_id = ?`].map((sql) =>
        sqlite.prepare<[string]>(sql),
      ),
      recount: sqlite.prepare('update world set kept_requests = (select count(*) from requests)'),
    }
  })

  return (clientId) => {
    const { all, one, recount } = statements()
    if (clientId === undefined) for (const statement of all) statement.run()
    else for (const statement of one) statement.run(clientId)
    recount.run()
  }
}
