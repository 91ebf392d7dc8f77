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
import { LateStatements } from './late-statements.ts'
import { LateVerbs } from './late-verbs.ts'
import { loadVerbs } from './load.ts'
import { newestMomentVerbs } from './newest-moment.ts'
import { nextDueVerbs } from './next-due.ts'
import { orderVerbs } from './orders.ts'
import { requestVerbs } from './requests.ts'
import { scenarioVerbs } from './scenarios.ts'
import { snapshotVerbs } from './snapshot/verbs.ts'
import { standingVerbs } from './standing.ts'
import { tokenVerbs } from './tokens.ts'
import { userVerbs } from './users.ts'
import { worldVerbs } from './world.ts'

/** The store on an open, migrated database.
 *  @param close gives the database back once everything is written
 *  @param keysWaiting see `OrderKeys` */
export function sqliteStore(database: Database, close: () => void, keysWaiting?: number): Store {
  const statements = new LateStatements(database)
  const { sqlite } = statements
  const connection = connect(sqlite, keysWaiting)
  const late = new LateVerbs(() => store)
  const store: Store = {
    // What every start asks for, and the journal, which every end writes.
    ...clientVerbs(connection),
    ...tokenVerbs(connection),
    ...scenarioVerbs(connection),
    ...faultVerbs(connection),
    ...worldVerbs(connection),
    ...nextDueVerbs(connection),
    ...newestMomentVerbs(connection),
    ...requestVerbs(connection),
    // The rest.
    ...late.of(['commit', 'historiesOf'], () => commitVerbs(connection)),
    ...late.of(
      [
        'findOrder',
        'findOrderByToken',
        'ordersOf',
        'lookUpOrders',
        'usedByAnotherClient',
        'listOrders',
        'dueOrders',
        'ordersDue',
      ],
      () => orderVerbs(connection),
    ),
    ...late.of(['listUsers'], () => userVerbs(connection)),
    ...late.of(['countAnswer'], () => answerCountVerbs(connection)),
    ...late.of(['addDelivery', 'findDelivery', 'deliveryIdsOf', 'countSimulations', 'listDeliveries'], () =>
      deliveryVerbs(connection),
    ),
    ...late.of(
      ['releaseAnswer', 'ordersWithDeliveriesDue', 'claimDeliveries', 'skipDeliveries', 'finishAttempt'],
      () => claimVerbs(connection),
    ),
    ...late.of(['holdDeliveries', 'releaseDeliveries', 'resendDelivery'], () => holdVerbs(connection)),
    ...late.of(['addByHand', 'finishByHand'], () => byHandVerbs(connection)),
    ...late.of(['standing', 'countOrders'], () => standingVerbs(connection)),
    ...late.of(['census'], () => censusVerbs(connection)),
    ...late.of(['load'], () => loadVerbs(connection)),
    ...late.of(['snapshot', 'readSnapshot'], () => snapshotVerbs(connection)),
    ...checkpoints(sqlite, connection),
    warmUp: async () => {
      // The owner may have closed it meanwhile.
      if (!sqlite.open) return
      late.makeAll()
      statements.prepareAll()
    },
    close: async () => {
      // A key that can't be written any more is written by the next start: it stands in its order, too.
      connection.write(() => connection.orderKeys.writeAll()).catch(() => {})
      connection.flush()
      close()
    },
  }
  return store
}
