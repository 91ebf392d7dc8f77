import { afterEach, beforeEach, describe } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { answerCountsConform } from './conformance/answer-counts.ts'
import { byHandConforms } from './conformance/by-hand.ts'
import { claimsConform } from './conformance/claims.ts'
import { clientsConform } from './conformance/clients.ts'
import { commitsConform } from './conformance/commits.ts'
import { companionsConform } from './conformance/companions.ts'
import { deliveriesConform } from './conformance/deliveries.ts'
import { faultsConform } from './conformance/faults.ts'
import type { Given } from './conformance/given.ts'
import { holdsConform } from './conformance/holds.ts'
import { listsConform } from './conformance/lists.ts'
import { livesConform } from './conformance/lives.ts'
import { loadConforms } from './conformance/load.ts'
import { ordersConform } from './conformance/orders.ts'
import { reopeningConforms } from './conformance/reopening.ts'
import { requestsConform } from './conformance/requests.ts'
import { scenariosConform } from './conformance/scenarios.ts'
import { snapshotsConform } from './conformance/snapshots.ts'
import { tokensConform } from './conformance/tokens.ts'
import { usersConform } from './conformance/users.ts'
import { worldConforms } from './conformance/world.ts'
import { aClient, shop } from './factories.ts'

/** A store made for one test. */
export interface StoreUnderTest {
  readonly store: Store
  /** Durable stores only: closes it and opens it again. */
  readonly reopen?: () => Promise<Store>
  /** Clears up after the test. The store may be closed by then. */
  dispose(): Promise<void>
}

/** Holds a store to the words of `src/store/store.ts`. */
export function storeConformance(
  name: string,
  makeStore: () => Promise<StoreUnderTest>,
  durable: boolean,
): void {
  describe(name, () => {
    let made: StoreUnderTest
    let store: Store
    beforeEach(async () => {
      made = await makeStore()
      store = made.store
      await store.createClient(aClient({ clientId: shop, accessToken: 'access-of-the-shop' }))
    })
    afterEach(() => made.dispose())

    const given: Given = {
      get store() {
        return store
      },
      async reopen() {
        if (!made.reopen) throw new Error('this store is not durable')
        store = await made.reopen()
        return store
      },
    }
    // In memory the same SQL runs on the same SQLite. Only what reads or replaces the whole database differs there.
    describe('snapshots', () => snapshotsConform(given))
    describe('the whole', () => worldConforms(given))
    if (!durable) return
    describe('clients', () => clientsConform(given))
    describe('lives', () => livesConform(given))
    describe('tokens', () => tokensConform(given))
    describe('commit', () => commitsConform(given))
    describe('what comes with a commit', () => companionsConform(given))
    describe('orders', () => ordersConform(given))
    describe('users', () => usersConform(given))
    describe('lists', () => listsConform(given))
    describe('scenarios', () => scenariosConform(given))
    describe('counts of faults', () => answerCountsConform(given))
    describe('planned faults', () => faultsConform(given))
    describe('deliveries', () => deliveriesConform(given))
    describe('claims', () => claimsConform(given))
    describe('deliveries by hand', () => byHandConforms(given))
    describe('holds', () => holdsConform(given))
    describe('journal', () => requestsConform(given))
    describe('load', () => loadConforms(given))
    describe('reopened', () => reopeningConforms(given))
  })
}
