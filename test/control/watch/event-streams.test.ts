import { Writable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { EventStreams } from '../../../src/control/watch/event-streams.ts'
import { anEntry } from '../../store/factories.ts'
import { watchParts } from './parts.ts'

async function streamsWith(limits: ConstructorParameters<typeof EventStreams>[1]) {
  const parts = await watchParts()
  const streams = new EventStreams(parts, limits)
  onTestFinished(() => streams.stop())
  return { streams, feed: parts.feed }
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

/** Resolves when all events so far have been sent. */
const sent = () => new Promise((resolve) => setImmediate(resolve))

test('a reader that is further behind than it may be is dropped, and only that', async () => {
  const { streams, feed } = await streamsWith({ mostWaitingBytes: 10_000 })
  const request = { type: 'request', entry: anEntry({ body: 'x'.repeat(1_000) }) } as const
  const [slow, quick] = [sinkThat('hangs'), sinkThat('reads')]
  for (const { sink } of [slow, quick]) streams.open(undefined, sink)
  for (let told = 0; told < 100; told += 1) feed.emit(request)
  await sent()
  expect(slow.sink.destroyed).toBe(true)
  expect(slow.sink.writableLength).toBeLessThan(12_000)
  expect([quick.sink.destroyed, quick.chunks.length]).toEqual([false, 101])
})

test('there are only so many streams, and one that ends makes room', async () => {
  const { streams } = await streamsWith({ mostStreams: 1 })
  const { sink } = sinkThat('reads')
  streams.open(undefined, sink)
  expect(() => streams.refuseIfFull()).toThrow('There are already 1 event streams')
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
  expect(() => streams.refuseIfFull()).toThrow('shutting down')
})

test('in brief what follows close behind is told together', async () => {
  const { streams, feed } = await streamsWith({ quietMs: 5 })
  const { sink, chunks } = sinkThat('reads')
  streams.open(undefined, sink, true)
  const heldOf = (clientId: string) => feed.emit({ type: 'deliveries', change: 'held', clientId, ids: ['d'] })
  for (let told = 0; told < 100; told += 1) heldOf(`C${told % 3}`)
  await expect.poll(() => chunks.length).toBe(3)
  expect(chunks.slice(1)).toEqual([
    'event: changed\ndata: {"delivery":["C0"]}\n\n',
    'event: changed\ndata: {"delivery":["C1","C2","C0"]}\n\n',
  ])
})

test('of more clients than anybody would read the names are left out', async () => {
  const { streams, feed } = await streamsWith({ quietMs: 5 })
  const { sink, chunks } = sinkThat('reads')
  streams.open(undefined, sink, true)
  for (let n = 0; n < 300; n += 1)
    feed.emit({ type: 'deliveries', change: 'held', clientId: `C${n}`, ids: ['d'] })
  await expect.poll(() => chunks.at(-1)).toBe('event: changed\ndata: {"delivery":"*"}\n\n')
})
