import { EmulatorError } from '../../domain/errors.ts'
import type { Store } from '../store.ts'
import type { Connection } from './connection.ts'

/** What concerns everything at once: the seed, reset, recovery. */
export function worldVerbs({
  sqlite,
  write,
}: Connection): Pick<Store, 'seed' | 'reset' | 'deleteClient' | 'recover'> {
  sqlite.exec('insert into world (id) values (1) on conflict do nothing')
  const seed = sqlite
    .prepare<[string], string>('update world set seed = coalesce(seed, ?) returning seed')
    .pluck()
  // Children first. History and attempts go with what they belong to.
  const parts = ['deliveries', 'orders', 'tokens', 'bindings', 'requests', 'answer_counts']
  const emptyAll = parts.map((part) => sqlite.prepare(`delete from ${part}`))
  const emptyOne = parts.map((part) => sqlite.prepare<[string]>(`delete from ${part} where client_id = ?`))
  // What scenarios have made of the tokens ends with their orders.
  const renewAll = sqlite.prepare('update clients set own_token_expired = 0, tokens_refused_until = null')
  const renewOne = sqlite.prepare<[string]>(
    'update clients set own_token_expired = 0, tokens_refused_until = null where client_id = ?',
  )
  const recount = sqlite.prepare('update world set kept_requests = (select count(*) from requests)')
  const deleteClients = sqlite.prepare('delete from clients')
  const deleteClient = sqlite.prepare<[string]>('delete from clients where client_id = ?')
  const clientIds = sqlite.prepare<[], string>('select client_id from clients').pluck()
  // Written like this so that both find their rows through the index over what is pending.
  const landAttempts = sqlite.prepare<[string]>(
    `update deliveries set in_flight = 0 where status = 'pending' and client_id = ? and in_flight = 1`,
  )
  const releaseAnswers = sqlite.prepare<[string]>(
    `update deliveries set due_at = created_at + coalesce(plan ->> '$.delayMs', 0)
     where status = 'pending' and client_id = ? and in_flight = 0 and due_at is null`,
  )

  const empty = (clientId: string | undefined) => {
    if (clientId === undefined) for (const statement of [...emptyAll, renewAll]) statement.run()
    else for (const statement of [...emptyOne, renewOne]) statement.run(clientId)
    recount.run()
  }
  const remove = (clientId: string) => {
    empty(clientId)
    if (deleteClient.run(clientId).changes === 0) throw new EmulatorError('client_unknown', { clientId })
  }

  return {
    seed: (proposed) => write(() => seed.get(proposed) ?? proposed),
    deleteClient: (clientId) => write(() => remove(clientId)),
    reset: ({ clientId, clients }) =>
      write(() => {
        empty(clientId)
        if (!clients) return
        if (clientId === undefined) deleteClients.run()
        else deleteClient.run(clientId)
      }),
    recover: () =>
      write(() => {
        for (const clientId of clientIds.all()) {
          landAttempts.run(clientId)
          releaseAnswers.run(clientId)
        }
      }),
  }
}
