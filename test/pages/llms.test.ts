import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { servedOperations } from '../../src/api/operations/operations.ts'
import { defaultSettings } from '../../src/domain/choices/settings.ts'
import { demoCredentials } from '../../src/domain/client/client.ts'
import { startTestEmulator, type TestEmulator } from '../support/emulator.ts'
import { startReceiver } from '../support/receiver.ts'

const text = readFileSync('src/pages/assets/llms.txt', 'utf8')
let emulator: TestEmulator

beforeAll(async () => {
  emulator = await startTestEmulator({}, afterAll)
})

test('an agent reads it as plain text, whatever guards the control API', async () => {
  const guarded = await startTestEmulator({ controlToken: 'given-token' })
  const headers = { host: 'evil.example', 'sec-fetch-site': 'cross-site' }
  const answer = await guarded.send('/llms.txt', { method: 'GET', headers })
  expect(answer).toMatchObject({ status: 200, text })
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
})

test('it names every call of the service, the credentials of the demo client and both OpenAPI documents', () => {
  const operations = servedOperations(defaultSettings).filter(({ path }) => !path.includes('/fiat/'))
  for (const { method, path } of operations) expect(text).toContain(`\`${method} ${path}`)
  for (const value of ['demo-client', ...Object.values(demoCredentials)]) expect(text).toContain(value)
  expect(text).toContain('(/_emulator/openapi.json)')
  expect(text).toContain('(/_emulator/openapi-control.json)')
})

test('each control call that it lists does what it is listed for', async () => {
  const { url } = await startReceiver()
  const listed = text.matchAll(/^- `([A-Z]+) \/_emulator([^`]*)`(?: with `([^`]*)`)?: /gm)
  const calls = [...listed].map(([, method, path = '', body]) => ({
    method,
    path: path.replace('{clientId}', 'demo-client'),
    body: body?.replace('http://127.0.0.1:3000/webhooks', url),
  }))
  expect(calls).toHaveLength(13)
  for (const { method, path, body } of calls)
    await emulator.control(path, method, body === undefined ? undefined : JSON.parse(body))
})

test('its create call is signed with the command above it; a second one answers what it says', async () => {
  const [, toSign = '', secret = ''] = /printf '([^']*)' \| openssl dgst -sha256 -hmac (\S+)/.exec(text) ?? []
  const [, body = ''] = /-d '([^']*)'/.exec(text) ?? []
  const headers = {
    'access-token': demoCredentials.accessToken,
    'content-type': 'application/json',
    signature: createHmac('sha256', secret).update(toSign).digest('base64'),
  }
  const create = () => emulator.send('/v1/client/checkout/create-order', { method: 'POST', headers, body })
  expect((await create()).json).toMatchObject({ requestId: 'order-1', status: 'CREATED' })
  const again = await create()
  expect(again.status).toBe(401)
  expect(again.text).toContain('"code":"7001"')
})
