import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../tools/free-port.ts'

/** Takes a port, or any, like another process. */
async function taken(port = 0): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

test('a free port can be listened on', async () => {
  const port = await freePort()
  expect(await taken(port)).toBe(port)
})

test('no system gives it to whoever asks for any port', async () => {
  expect(await freePort()).toBeLessThan(32_768)
})

test('no two get the same port, nor one that guards another', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()))
  expect(new Set(ports.flatMap((port) => [port, port + 1])).size).toBe(100)
})

test('a port that was given is given to nobody else, though nobody listens on it', async () => {
  const lowest = await freePort()
  await expect(freePort({ lowest, count: 1 })).rejects.toThrow(`no port is free from ${lowest} on`)
})

test('a port that somebody listens on is not given', async () => {
  const lowest = await taken()
  await expect(freePort({ lowest, count: 1 })).rejects.toThrow(`no port is free from ${lowest} on`)
})
