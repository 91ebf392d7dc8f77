import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { create, startForTest } from '../cli/running.ts'
import { serverFor } from '../cli/servers.ts'
import { startTestEmulator } from '../support/emulator.ts'

test('while it waits for a delivery to end, an answer ends its connection: a busy client would go on', async () => {
  const asked = Promise.withResolvers<ServerResponse>()
  const receiver = await serverFor((_, response) => asked.resolve(response))
  const { url, close } = await startForTest({ webhookUrl: receiver.url })
  const busy = connect(Number(new URL(url).port), '127.0.0.1')
  busy.write('GET /_emulator/health HTTP/1.1\r\nhost: localhost\r\n')
  await create(url, 'r1')
  const delivery = await asked.promise

  const closed = close()
  busy.write('\r\n')
  let answer = ''
  for await (const part of busy.setEncoding('utf8')) answer += part
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(answer).toMatch(/\r\nconnection: close\r\n/i)
  delivery.end()
  await closed
})

/** A bare connection that reads nothing until it is asked to. */
function slowReader(url: string, request: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.pause().write(request)
  return socket
}

async function allOf(socket: Socket): Promise<string> {
  let text = ''
  for await (const part of socket.setEncoding('utf8')) text += part
  return text
}

test('an answer that is on its way is finished before it stops', async () => {
  const emulator = await startTestEmulator({ drainMs: 5_000 })
  const client = await emulator.addClient()
  for (let n = 0; n < 20; n++)
    await client.createCheckout({ ...client.checkout(`r${n}`), metadata: { text: 'x'.repeat(900_000) } })
  const reader = slowReader(emulator.url, 'GET /_emulator/snapshot HTTP/1.1\r\nhost: localhost\r\n\r\n')
  await new Promise((resolve) => reader.once('readable', resolve))
  const closed = emulator.close()
  expect(await allOf(reader)).toMatch(/\r\n0\r\n\r\n$/)
  await closed
})

test('what never ends is cut when the patience is over', async () => {
  const emulator = await startTestEmulator({ drainMs: 50 })
  const head = 'POST /_emulator/clients HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n'
  const sender = slowReader(emulator.url, `${head}expect: 100-continue\r\ncontent-length: 10\r\n\r\n`)
  await new Promise((resolve) => sender.once('readable', resolve))
  await emulator.close()
  expect(await allOf(sender).catch(() => '')).not.toContain(' 201 ')
})

test.each([
  ['reset', 'POST'],
  ['snapshot', 'PUT'],
])('nothing begins that changes whole worlds while it stops: %s', async (call, method) => {
  const asked = Promise.withResolvers<ServerResponse>()
  const receiver = await serverFor((_, response) => asked.resolve(response))
  const { url, close } = await startForTest({ webhookUrl: receiver.url })
  const body = call === 'reset' ? '{}' : await (await fetch(`${url}/_emulator/snapshot`)).text()
  const head = `${method} /_emulator/${call} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\n`
  const caller = slowReader(url, `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n`)
  await create(url, 'r1')
  const delivery = await asked.promise
  const closed = close()
  caller.write(body)
  const text = await allOf(caller)
  expect(text).toMatch(/^HTTP\/1\.1 503 /)
  expect(text).toContain('"stopping"')
  delivery.end()
  await closed
})
