import type { Database } from 'better-sqlite3'
import type { Store } from '../store.ts'
import { answerCountVerbs } from './answer-counts.ts'
import { byHandVerbs } from './by-hand.ts'
import { idleCheckpoints } from './checkpoints.ts'
import { claimVerbs } from './claims.ts'
import { clientVerbs } from './clients.ts'
import { commitVerbs } from './commits.ts'
import { connect } from './connection.ts'
import { censusVerbs, standingVerbs } from './counts.ts'
import { deliveryVerbs } from './deliveries.ts'
import { faultVerbs } from './faults.ts'
import { holdVerbs } from './holds.ts'
import { loadVerbs } from './load.ts'
import { orderVerbs } from './orders.ts'
import { requestVerbs } from './requests.ts'
import { scenarioVerbs } from './scenarios.ts'
import { snapshotVerbs } from './snapshot/verbs.ts'
import { tokenVerbs } from './tokens.ts'
import { userVerbs } from './users.ts'
import { worldVerbs } from './world.ts'

/** The store on an open, migrated database. All its statements are prepared here, but those of lists.
 *  @param close gives the database back once everything is written */
export function sqliteStore(sqlite: Database, close: () => void): Store {
  const connection = connect(sqlite)
  return {
    ...clientVerbs(connection),
    ...tokenVerbs(connection),
    ...scenarioVerbs(connection),
    ...faultVerbs(connection),
    ...worldVerbs(connection),
    ...requestVerbs(connection),
    ...commitVerbs(connection),
    ...orderVerbs(connection),
    ...userVerbs(connection),
    ...answerCountVerbs(connection),
    ...deliveryVerbs(connection),
    ...claimVerbs(connection),
    ...holdVerbs(connection),
    ...byHandVerbs(connection),
    ...standingVerbs(connection),
    ...censusVerbs(connection),
    ...loadVerbs(connection),
    // Made for each call: their schemas take time to load, and few starts need them.
    snapshot: (...which) => snapshotVerbs(connection).snapshot(...which),
    readSnapshot: (given) => snapshotVerbs(connection).readSnapshot(given),
    ...idleCheckpoints(sqlite, connection.writer),
    close: async () => {
      connection.flush()
      close()
    },
  }
}
