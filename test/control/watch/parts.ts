import { onTestFinished } from 'vitest'
import { KnownSecrets } from '../../../src/domain/journal/known-secrets.ts'
import { Feed } from '../../../src/journal/feed.ts'
import type { RawEntry } from '../../../src/journal/journal.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { ScenarioVersions } from '../../../src/lifecycle/scenarios/catalog.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { Scheduler } from '../../../src/time/scheduler.ts'

/** The parts that waits and streams need, without an emulator; closed at the end of the test. */
export async function watchParts() {
  const onError = (error: unknown) => {
    throw error
  }
  const store = await openSqliteStore({ file: ':memory:', durable: false })
  const feed = new Feed(onError)
  const journal = new Journal({
    store,
    feed,
    startedAt: 0,
    secrets: new KnownSecrets(),
    onError,
  })
  onTestFinished(async () => {
    await journal.close()
    await store.close()
  })
  const scheduler = new Scheduler({ wall: () => 0, keep: async () => {}, onError })
  const record = (raw: RawEntry) => journal.record(raw)
  const lifecycle = { versions: new ScenarioVersions(store) }
  return { store, feed, journal, record, scheduler, onError, lifecycle }
}
