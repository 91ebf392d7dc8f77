import { afterEach, beforeEach, describe } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { answerCountsConform } from './conformance/answer-counts.ts'
import { beginningConforms } from './conformance/beginning.ts'
import { byHandConforms } from './conformance/by-hand.ts'
import { claimsConform } from './conformance/claims.ts'
import { clientsConform } from './conformance/clients.ts'
import { commitsConform } from './conformance/commits.ts'
import { companionsConform } from './conformance/companions.ts'
import { deliveriesConform } from './conformance/deliveries.ts'
import { faultsConform } from './conformance/faults.ts'
import { generationsConform } from './conformance/generations.ts'
import type { Given } from './conformance/given.ts'
import { holdsConform } from './conformance/holds.ts'
import { listsConform } from './conformance/lists.ts'
import { loadConforms } from './conformance/load.ts'
import { orderOfCallsConforms } from './conformance/order-of-calls.ts'
import { ordersConform } from './conformance/orders.ts'
import { plainDataConforms } from './conformance/plain-data.ts'
import { countsAreThoseOfTheLists } from './conformance/recount.ts'
import { reopeningConforms } from './conformance/reopening.ts'
import { requestsConform } from './conformance/requests.ts'
import { scenariosConform } from './conformance/scenarios.ts'
import { snapshotsConform } from './conformance/snapshots.ts'
import { strictOrderConform } from './conformance/strict-order.ts'
import { tokensConform } from './conformance/tokens.ts'
import { usersConform } from './conformance/users.ts'
import { wholeConforms } from './conformance/whole.ts'
import { aClient, shop } from './factories.ts'

/** A store made for one test. */
export interface StoreUnderTest {
  readonly store: Store
  /** Durable stores only: closes it and opens it again. */
  readonly reopen?: () => Promise<Store>
  /** Clears up after the test. The store may be closed by then. */
  dispose(): Promise<void>
}

/** Which parts of the suite a store is held to. */
export interface Parts {
  /** Tests for data that survives a reopening, only for stores that can be reopened. */
  readonly reopening?: boolean
  /** Only what concerns everything at once: the order of calls, resets, loads and snapshots. */
  readonly wholeOnly?: boolean
}

/** Holds a store to the words of `src/store/store.ts`. */
export function storeConformance(
  name: string,
  makeStore: () => Promise<StoreUnderTest>,
  { reopening = false, wholeOnly = false }: Parts = {},
): void {
  describe(name, () => {
    let made: StoreUnderTest[] = []
    let store: Store
    const make = async (): Promise<StoreUnderTest> => {
      const one = await makeStore()
      made.push(one)
      return one
    }
    let reopen: StoreUnderTest['reopen']
    beforeEach(async () => {
      const first = await make()
      store = first.store
      reopen = first.reopen
      await store.begin('seed')
      await store.createClient(aClient({ clientId: shop, accessToken: 'access-of-the-shop' }))
    })
    afterEach(async () => {
      // Whatever a test has done.
      for (const each of [...made.map((one) => one.store), store]) await countsAreThoseOfTheLists(each)
      for (const each of made) await each.dispose()
      made = []
    })

    const given: Given = {
      get store() {
        return store
      },
      async another() {
        const other = await make()
        await other.store.begin('other')
        return other.store
      },
      async reopen() {
        if (!reopen) throw new Error('this store is not durable')
        store = await reopen()
        await store.begin('later')
        return store
      },
    }
    describe('beginning and end', () => beginningConforms(given))
    describe('the order of calls', () => orderOfCallsConforms(given))
    describe('generations', () => generationsConform(given))
    describe('the whole', () => wholeConforms(given))
    describe('load', () => loadConforms(given))
    describe('snapshots', () => snapshotsConform(given))
    if (reopening) describe('reopened', () => reopeningConforms(given))
    if (wholeOnly) return
    describe('plain data', () => plainDataConforms(given))
    describe('clients', () => clientsConform(given))
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
    describe('strict order', () => strictOrderConform(given))
    describe('deliveries by hand', () => byHandConforms(given))
    describe('holds', () => holdsConform(given))
    describe('request log', () => requestsConform(given))
  })
}
