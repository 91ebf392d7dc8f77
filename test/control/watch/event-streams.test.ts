import { Writable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { EventStreams } from '../../../src/control/watch/event-streams.ts'
import type { JournalEntry } from '../../../src/domain/journal-entry.ts'
import { Feed } from '../../../src/journal/feed.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { ScenarioVersions } from '../../../src/lifecycle/scenario-versions.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'

const onError = (error: unknown) => {
  throw error
}

async function streamsWith(limits: ConstructorParameters<typeof EventStreams>[1]) {
  const store = await openSqliteStore({ file: ':memory:', durable: false })
  const feed = new Feed(onError)
  const journal = new Journal({ store, feed, startedAt: 0, secrets: () => [], onError })
  const streams = new EventStreams(
    { store, feed, journal, onError, lifecycle: { versions: new ScenarioVersions(store) } },
    limits,
  )
  onTestFinished(async () => {
    streams.stop()
    await journal.close()
    await store.close()
  })
  return { streams, feed }
}

/** A connection whose other end reads, or does not. */
function sinkThat(how: 'reads' | 'hangs') {
  const chunks: string[] = []
  const first = Promise.withResolvers<void>()
  const sink = new Writable({
    decodeStrings: false,
    write: (chunk, _, done) => {
      chunks.push(String(chunk))
      if (chunks.length > 1) first.resolve()
      if (how === 'reads') done()
    },
  })
  return { sink, chunks, second: first.promise }
}

const entry = (body: string): JournalEntry => ({
  id: 'req_1',
  wallAt: 0,
  at: 0,
  clientId: 'C1',
  operation: null,
  requestId: null,
  method: 'GET',
  path: '/',
  headers: {},
  body,
  status: 200,
  response: '',
  ms: 0,
  notes: [],
  diagnosis: null,
})

/** What was told has been sent once this resolves. */
const sent = () => new Promise((resolve) => setImmediate(resolve))

test('a reader that is further behind than it may be is dropped, and only that', async () => {
  const { streams, feed } = await streamsWith({ mostWaitingBytes: 10_000 })
  const request = { type: 'request', entry: entry('x'.repeat(1_000)) } as const
  const [slow, quick] = [sinkThat('hangs'), sinkThat('reads')]
  for (const { sink } of [slow, quick]) streams.open(undefined, sink)
  for (let told = 0; told < 100; told += 1) feed.tell(request)
  await sent()
  expect(slow.sink.destroyed).toBe(true)
  expect(slow.sink.writableLength).toBeLessThan(12_000)
  expect([quick.sink.destroyed, quick.chunks.length]).toEqual([false, 101])
})

test('there are only so many streams, and one that ends makes room', async () => {
  const { streams } = await streamsWith({ mostStreams: 1 })
  const { sink } = sinkThat('reads')
  streams.open(undefined, sink)
  expect(() => streams.refuseIfFull()).toThrow('There are 1 streams of events already')
  const closed = new Promise((resolve) => sink.once('close', resolve))
  sink.destroy()
  await closed
  streams.refuseIfFull()
})

test('a stream on which nothing comes is kept alive by comments', async () => {
  const { streams } = await streamsWith({ heartbeatMs: 1 })
  const { sink, chunks, second } = sinkThat('reads')
  streams.open(undefined, sink)
  await second
  expect(chunks.slice(0, 2)).toEqual(['retry: 1000\n\n', ': nothing new\n\n'])
})

test('after a stop nothing is opened any more', async () => {
  const { streams } = await streamsWith({})
  const { sink } = sinkThat('reads')
  streams.open(undefined, sink)
  streams.stop()
  expect(sink.writableEnded).toBe(true)
  expect(() => streams.refuseIfFull()).toThrow('stopping')
})
