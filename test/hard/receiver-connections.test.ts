import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import type { TestClient } from '../support/client.ts'
import { report } from './support/figures.ts'
import { startRawReceiver } from './support/raw-receiver.ts'
import { startRemote } from './support/remote.ts'

const file = 'test/hard/receiver-connections.test.ts'
const ok = (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')

test('a receiver that closes or resets its idle connections costs no attempt', async () => {
  const { emulator } = await startRemote(['--clock', 'manual'])
  const ways: readonly ((socket: Socket) => void)[] = [
    (socket) => void setTimeout(() => socket.end(), 20),
    (socket) => void setTimeout(() => socket.resetAndDestroy(), 20),
    (socket) => void setTimeout(() => socket.end('HTTP/1.1 408 Request Timeout\r\n\r\n'), 20),
    (socket) => void setTimeout(() => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'), 20),
  ]
  const webhooks = 10
  const found = await Promise.all(
    ways.map(async (spoil) => {
      const receiver = await startRawReceiver((socket) => {
        ok(socket)
        spoil(socket)
      })
      const client = await emulator.addClient({ webhookUrl: receiver.url, defaultScenario: 'never-pays' })
      for (let n = 0; n < webhooks; n++) {
        await client.createCheckout(`r${n}`)
        await client.settle()
        await pause(150)
      }
      return { deliveries: await client.deliveries(), connections: receiver.connections() }
    }),
  )
  const attempts = found.flatMap(({ deliveries }) => deliveries.map((delivery) => delivery.attempts))
  report({
    area: 'receiver',
    promise: 'A receiver that closes or resets its idle connections costs no attempt',
    test: file,
    figures: { webhooks: attempts.length, connections: found.reduce((sum, one) => sum + one.connections, 0) },
  })
  expect(attempts).toMatchObject(attempts.map(() => [{ outcome: 'accepted' }]))
  expect(
    found.map(({ connections }) => connections),
    'the test is about connections that went',
  ).toEqual(ways.map(() => webhooks))
})

test('a receiver that is quick to answer gets all on one connection', async () => {
  const { emulator } = await startRemote(['--clock', 'manual'])
  const receiver = await startRawReceiver(ok)
  const client = await emulator.addClient({ webhookUrl: receiver.url, defaultScenario: 'never-pays' })
  for (let n = 0; n < 20; n++) {
    await client.createCheckout(`r${n}`)
    await client.settle()
  }
  expect(receiver.requests).toHaveLength(20)
  expect(receiver.connections()).toBeLessThanOrEqual(2)
})

test('a receiver that is slow to accept connections is waited for, in the bounds of the time-out', async () => {
  const { emulator } = await startRemote(['--clock', 'manual'])
  const attemptAt = async (port: number, timeout: string) => {
    const settings = { 'webhook.timeout': timeout }
    const client = await emulator.addClient({ webhookUrl: `http://127.0.0.1:${port}/`, settings })
    await client.createCheckout('r1')
    await client.settle()
    return onlyAttempt(client)
  }
  expect(await attemptAt(await acceptingAfter(700), '5s')).toMatchObject({ outcome: 'accepted', status: 200 })
  const full = await acceptingAfter(60_000)
  for (let n = 0; n < 4; n++) {
    const filler = connect(full, '127.0.0.1').on('error', () => undefined)
    onTestFinished(() => void filler.destroy())
  }
  const late = await attemptAt(full, '700ms')
  expect(late).toMatchObject({ outcome: 'timeout', error: 'no answer within 700 ms' })
  expect(late.ms).toBeLessThan(2_000)
})

async function onlyAttempt(client: TestClient): Promise<{ readonly ms: number }> {
  const [delivery] = await client.deliveries()
  const [attempt, ...more] = Array.isArray(delivery?.attempts) ? delivery.attempts : []
  expect(more).toEqual([])
  return attempt
}

/** The port of a receiver that accepts no connection for so long: its thread stands still. */
async function acceptingAfter(ms: number): Promise<number> {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads')
     const server = require('node:http').createServer((_, response) => response.end())
     server.listen(0, '127.0.0.1', 1, () => {
       parentPort.postMessage(server.address().port)
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms})
     })`,
    { eval: true },
  )
  onTestFinished(() => void worker.terminate())
  return new Promise((resolve) => worker.once('message', resolve))
}
