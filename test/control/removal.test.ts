import { expect, test } from 'vitest'
import { startTestEmulator, type TestEmulator } from '../support/emulator.ts'

const steps = Array.from(
  { length: 40 },
  (_, n) => `{ at: ${n + 1}s, client: { webhookUrl: { addQuery: "n=${n}" } } }`,
)

const movesClient = `id: moves-client
description: Each step changes the client
timeline:
${steps.map((step) => `  - ${step}\n`).join('')}`

const yaml = { 'content-type': 'application/yaml' }
const json = { 'content-type': 'application/json' }

async function ordersThatMoveTheirClient(emulator: TestEmulator): Promise<void> {
  await emulator.send('/_emulator/scenarios/moves-client', {
    method: 'PUT',
    headers: yaml,
    body: movesClient,
  })
  const client = await emulator.addClient({ clientId: 'moving', defaultScenario: 'moves-client' })
  await Promise.all(['r1', 'r2', 'r3'].map((requestId) => client.createCheckout(requestId)))
}

test.each([
  ['is removed', '/clients/moving', { method: 'DELETE', headers: {} }],
  ['goes with a reset', '/reset', { method: 'POST', headers: {} }],
  [
    'gives way to a fixture',
    '/fixtures?replace=true',
    { method: 'POST', headers: yaml, body: 'clients:\n  - { clientId: moving }\n' },
  ],
])('a client whose orders are about to change it %s, and nobody waits for ever', async (_, path, request) => {
  const emulator = await startTestEmulator()
  await ordersThatMoveTheirClient(emulator)
  const body = { by: '1m', timeoutMs: 3_000 }
  const advance = emulator.send('/_emulator/clock/advance?clientId=moving', {
    method: 'POST',
    headers: json,
    body,
  })
  expect((await emulator.send(`/_emulator${path}`, request)).status).toBeLessThan(300)
  expect((await advance).status).not.toBe(504)
})
