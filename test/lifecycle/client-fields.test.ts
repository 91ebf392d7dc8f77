import { describe, expect, test } from 'vitest'
import { startFixture } from '../support/emulator.ts'

const hex = { 'webhook.signature': { header: 'x-sign', secretAs: 'hex' } }

async function refused(path: string, method: string, body: object, settings: Record<string, unknown> = {}) {
  const { emulator } = await startFixture({ settings })
  const { status, json } = await emulator.send(`/_emulator${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body,
  })
  return { status, message: Object(json.error).message }
}

describe('a secret that the settings cannot read as a key is refused', () => {
  test.each([
    ['a recipe for a client', '/clients/C1', 'PATCH', { settings: hex }],
    ['a recipe for all clients', '/settings', 'PATCH', hex],
    ['a new client', '/clients', 'POST', { clientId: 'C9', webhookSecret: 'whsec_c2VjcmV0', settings: hex }],
    [
      'a token',
      '/clients/C1',
      'PATCH',
      { settings: { webhook: { format: 'jwt', jwt: { secret: 'webhook-secret', secretAs: 'hex' } } } },
    ],
  ])('%s', async (_, path, method, body) => {
    expect(await refused(path, method, body)).toEqual({
      status: 400,
      message: expect.stringMatching(/reads the webhookSecret as hex, and this one is not hex; set another/),
    })
  })
})

test('generated secrets fit the settings, and another one is refused', async () => {
  const { emulator } = await startFixture()
  const settings = { ...hex, 'webhook.format': 'jwt', 'webhook.jwt': { secretAs: 'base64' } }
  const { json } = await emulator.control('/clients', 'POST', { clientId: 'C9', settings })
  expect(json.webhookSecret).toMatch(/^whsec_[\da-f]{48}$/)
  expect(json.apiSecret).toMatch(/^[\da-f]{48}$/)
  const rotated = await emulator.control('/clients/C9/rotate-webhook-secret', 'POST', {})
  expect(rotated.json.webhookSecret).toMatch(/^whsec_[\da-f]{48}$/)
  for (const [path, method, body] of [
    ['/clients/C9', 'PATCH', { apiSecret: 'not base64!' }],
    ['/clients/C9/rotate-webhook-secret', 'POST', { webhookSecret: 'whsec_c2VjcmV0' }],
  ] as const) {
    const answer = await emulator.send(`/_emulator${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect(answer.status).toBe(400)
  }
})
