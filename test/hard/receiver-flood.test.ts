import { execFileSync } from 'node:child_process'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { report } from './support/figures.ts'
import { startRawReceiver } from './support/raw-receiver.ts'
import { startRemote } from './support/remote.ts'

const answerBytes = 200 * 1024 * 1024
const floods = 40
const atOnce = 8
const mebibyte = 1024 * 1024

test(`of ${floods} answers of 200 MB next to nothing is read, and the memory stays as it is`, async () => {
  const { emulator, program } = await startRemote(['--clock', 'manual'])
  const floodsSoFar: { taken: () => number }[] = []
  const receiver = await startRawReceiver((socket) => floodsSoFar.push(flood(socket)))
  const client = await emulator.addClient({ webhookUrl: receiver.url, defaultScenario: 'never-pays' })
  const sendMany = async (many: number) => {
    for (let begun = 0; begun < many; begun += atOnce) {
      const ids = Array.from({ length: atOnce }, (_, n) => `r${receiver.requests.length + n}`)
      await Promise.all(ids.map((id) => client.createCheckout(id)))
      await client.settle()
    }
  }
  await sendMany(floods)
  const before = residentMebibytes(program.child.pid)
  await sendMany(floods)
  const grownBy = residentMebibytes(program.child.pid) - before

  const { items } = await emulator.control(`/deliveries?clientId=${client.clientId}&limit=1000`)
  const taken = Math.max(...floodsSoFar.map((one) => one.taken())) / mebibyte
  report({
    area: 'receiver',
    promise: 'Of a huge answer next to nothing is read, and the memory stays as it is',
    test: 'test/hard/receiver-flood.test.ts',
    figures: {
      'answers of 200 MB': floodsSoFar.length,
      'most MiB that left a receiver': Number(taken.toFixed(1)),
      'memory before (MiB)': before,
      'grown by (MiB)': grownBy,
    },
  })
  expect(floodsSoFar).toHaveLength(2 * floods)
  expect(items).toHaveLength(2 * floods)
  for (const { attempts } of items) {
    expect(attempts).toMatchObject([{ outcome: 'accepted', status: 200, responseBody: 'x'.repeat(4096) }])
  }
  // The kernel buffers both ends of a connection; the program reads 64 KiB.
  expect(taken).toBeLessThan(16)
  expect(grownBy).toBeLessThan(32)
})

/** Answers with 200 MB, as quickly as they are taken.
 *  @returns how many bytes of it the system has taken so far */
function flood(socket: Socket): { taken: () => number } {
  const chunk = Buffer.alloc(64 * 1024, 'x')
  let handedOver = 0
  let taken = 0
  const hand = (bytes: Buffer | string) => socket.write(bytes, (error) => (taken += error ? 0 : bytes.length))
  hand(`HTTP/1.1 200 OK\r\ncontent-length: ${answerBytes}\r\n\r\n`)
  const more = () => {
    while (handedOver < answerBytes && !socket.destroyed) {
      handedOver += chunk.length
      if (!hand(chunk)) return
    }
  }
  socket.on('drain', more)
  more()
  return { taken: () => taken }
}

/** The resident memory of the process. */
function residentMebibytes(pid: number | undefined): number {
  return Math.round(
    Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024,
  )
}
