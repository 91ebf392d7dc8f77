import type { Store } from '../../store.ts'
import type { Connection } from '../connection.ts'
import { snapshotReader } from './read.ts'
import { snapshotTaker } from './take.ts'

/** Everything at once, out and in. Both go by what the database says of its tables, so that a new table or column
 *  joins by itself. */
export function snapshotVerbs(connection: Connection): Pick<Store, 'snapshot' | 'readSnapshot'> {
  return { ...snapshotTaker(connection), ...snapshotReader(connection) }
}
