import { asc } from 'drizzle-orm'
import { EmulatorError } from '../../domain/errors.ts'
import type { Store } from '../store.ts'
import type { Connection } from './connection.ts'
import { refuseEnded } from './ended.ts'
import { once } from './parameter.ts'
import { tokens } from './schema.ts'
import { isOrphan } from './sqlite-errors.ts'

/** Access tokens that were given out. */
export function tokenVerbs({
  sqlite,
  db,
  write,
}: Connection): Pick<Store, 'saveToken' | 'tokens' | 'pruneTokens'> {
  const all = once(() =>
    db
      .select({ token: tokens.token, clientId: tokens.clientId, expiresAt: tokens.expiresAt })
      .from(tokens)
      .orderBy(asc(tokens.seq))
      .prepare(),
  )
  const prune = sqlite.prepare<[string, number]>('delete from tokens where client_id = ? and expires_at < ?')

  return {
    saveToken: (token, life) =>
      write(() => {
        refuseEnded(life)
        try {
          db.insert(tokens).values(token).run()
        } catch (error) {
          if (isOrphan(error)) throw new EmulatorError('client_unknown', { clientId: token.clientId })
          throw error
        }
      }),
    tokens: async () => all().all(),
    pruneTokens: (clientId, before) => write(() => void prune.run(clientId, before)),
  }
}
