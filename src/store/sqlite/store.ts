import type { Database } from 'better-sqlite3'
import type { Store } from '../store.ts'
import { answerCountVerbs } from './answer-counts.ts'
import { byHandVerbs } from './by-hand.ts'
import { censusVerbs } from './census.ts'
import { checkpoints } from './checkpoints.ts'
import { claimVerbs } from './claims.ts'
import { clientVerbs } from './clients.ts'
import { commitVerbs } from './commits.ts'
import { connect } from './connection.ts'
import { deliveryVerbs } from './deliveries.ts'
import { faultVerbs } from './faults.ts'
import { holdVerbs } from './holds.ts'
import { loadVerbs } from './load.ts'
import { orderVerbs } from './orders.ts'
import { requestVerbs } from './requests.ts'
import { scenarioVerbs } from './scenarios.ts'
import { snapshotVerbs } from './snapshot/verbs.ts'
import { standingVerbs } from './standing.ts'
import { tokenVerbs } from './tokens.ts'
import { userVerbs } from './users.ts'
import { worldVerbs } from './world.ts'

/** The store on an open, migrated database.
 *  @param close gives the database back once everything is written */
export function sqliteStore(sqlite: Database, close: () => void): Store {
  const connection = connect(sqlite)
  return {
    ...clientVerbs(connection),
    ...tokenVerbs(connection),
    ...commitVerbs(connection),
    ...orderVerbs(connection),
    ...userVerbs(connection),
    ...scenarioVerbs(connection),
    ...answerCountVerbs(connection),
    ...faultVerbs(connection),
    ...deliveryVerbs(connection),
    ...claimVerbs(connection),
    ...holdVerbs(connection),
    ...byHandVerbs(connection),
    ...requestVerbs(connection),
    ...worldVerbs(connection),
    ...standingVerbs(connection),
    ...censusVerbs(connection),
    ...loadVerbs(connection),
    ...snapshotVerbs(connection),
    ...checkpoints(sqlite, connection.writer),
    close: async () => {
      connection.flush()
      close()
    },
  }
}
