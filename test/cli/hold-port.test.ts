import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type HeldPort, holdPort } from '../../src/cli/serve/hold-port.ts'
import { freePort } from '../../tools/free-port.ts'

const host = '127.0.0.1'

async function connected(port: number): Promise<Socket> {
  const socket = connect({ host, port })
  await once(socket, 'connect')
  return socket
}

/** Hands a port to a server that answers with the path. */
async function handedTo(held: HeldPort) {
  const server = createServer(({ url }, answer) => void answer.end(url))
  onTestFinished(() => void server.close())
  await held.handTo(server)
  return server.address()
}

const textOf = async (socket: Socket) => (await socket.setEncoding('utf8').toArray()).join('')

test('whoever connects before there is a server is answered by it, and who comes later too', async () => {
  const port = await freePort()
  const held = await holdPort(host, port)
  const early = await connected(port)
  early.write('GET /early HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  await handedTo(held)
  expect(await textOf(early)).toMatch(/^HTTP\/1\.1 200 .*\/early$/s)
  expect(await (await fetch(`http://${host}:${port}/late`)).text()).toBe('/late')
})

test('a port that is held is taken for others', async () => {
  const port = await freePort()
  const held = await holdPort(host, port)
  onTestFinished(held.release)
  await expect(holdPort(host, port)).rejects.toThrow(`port ${port} is in use`)
})

test('any port stays the one that was held', async () => {
  const held = await holdPort(host, 0)
  const address = await handedTo(held)
  expect(address).toMatchObject({ address: host, port: expect.any(Number) })
})

test('a port that is let go is free, and who has connected hears of it', async () => {
  const port = await freePort()
  const held = await holdPort(host, port)
  const early = await connected(port)
  early.on('error', () => undefined)
  held.release()
  await once(early.resume(), 'close')
  const again = await holdPort(host, port)
  again.release()
})

test('a client that has gone again before there is a server does no harm', async () => {
  const port = await freePort()
  const held = await holdPort(host, port)
  const gone = await connected(port)
  gone.resetAndDestroy()
  await once(gone, 'close')
  await handedTo(held)
  expect((await fetch(`http://${host}:${port}/`)).status).toBe(200)
})
