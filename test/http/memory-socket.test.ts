import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import { MemorySocket } from '../../src/http/memory-socket.ts'

/** All that can be read of one end. It stays open for writing, which not every Node's own readers leave it. */
async function text(end: Duplex): Promise<string> {
  let read = ''
  end.setEncoding('utf8').on('data', (piece) => {
    read += piece
  })
  await once(end, 'end')
  return read
}

test('what one end writes the other reads, in both directions, to the end', async () => {
  const { caller, server } = MemorySocket.pair()
  caller.end('question')
  expect(await text(server)).toBe('question')
  server.end('answer')
  expect(await text(caller)).toBe('answer')
})

test('who writes faster than the other reads is told to wait', async () => {
  const { caller, server } = MemorySocket.pair()
  const chunk = Buffer.alloc(64 * 1024)
  let written = 0
  while (caller.write(chunk)) written += 1
  expect(written).toBeLessThan(10)
  const drained = once(caller, 'drain')
  server.resume()
  await drained
})

test('an end that closes in order lets the other read what was written, and then end', async () => {
  const { caller, server } = MemorySocket.pair()
  server.write('half an answ')
  server.destroySoon()
  expect(await text(caller)).toBe('half an answ')
})

test('an end that is destroyed looks to the other as if it had closed', async () => {
  const { caller, server } = MemorySocket.pair()
  server.destroy()
  expect(await text(caller)).toBe('')
})

test('a reset is an error at the other end, and none at its own', async () => {
  const { caller, server } = MemorySocket.pair()
  const [error] = await Promise.all([once(caller, 'error'), once(server, 'close'), server.resetAndDestroy()])
  expect(error).toMatchObject([{ code: 'ECONNRESET', message: 'read ECONNRESET' }])
})

test('who writes to an end that is gone is told so', async () => {
  const { caller, server } = MemorySocket.pair()
  server.destroy()
  caller.write('anyone?')
  expect(await once(caller, 'error')).toMatchObject([{ code: 'EPIPE' }])
})

test('who waits for a reader that goes away waits no longer', async () => {
  const { caller, server } = MemorySocket.pair()
  const written = new Promise((resolve) => caller.write(Buffer.alloc(1024 * 1024), resolve))
  server.destroy()
  await written
})
