import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const { startEmulator }: typeof import('../../src/index.ts') = await import(resolve('dist/index.js'))

test('A request that does not come to its end is answered 408 without a port too', async () => {
  await using emulator = await startEmulator({ listen: false })
  const init: RequestInit = { method: 'POST', body: new ReadableStream(), duplex: 'half' }
  const answer = await emulator.fetch(`${emulator.url}/v1/client/webhook-url`, init)
  expect(answer.status).toBe(408)
}, 60_000)
