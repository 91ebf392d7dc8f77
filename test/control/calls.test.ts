import { expect, test } from 'vitest'
import { controlCalls } from '../../src/control/control.ts'
import { startTestEmulator } from '../support/emulator.ts'

test('every call takes ?clientId=', () => {
  const without = controlCalls.filter(({ query }) => !('clientId' in query.shape))
  expect(without.map(({ path }) => path)).toEqual([])
})

test('no call takes a client that there is not', async () => {
  const emulator = await startTestEmulator()
  const calls = controlCalls.filter(({ clientMayBeNew = false }) => !clientMayBeNew)
  const answers = await Promise.all(
    calls.map(async ({ method, path }) => {
      const place = path.replaceAll(/\{\w+\}/g, 'x')
      const answer = await emulator.send(`/_emulator${place}?clientId=nobody`, { method })
      const { code } = Object(answer.json.error)
      return `${method} ${path}: ${answer.status} ${code}`
    }),
  )
  expect(answers).toEqual(calls.map(({ method, path }) => `${method} ${path}: 404 client_unknown`))
})

test('every call refuses a parameter that it does not know', async () => {
  const emulator = await startTestEmulator()
  for (const { method, path } of controlCalls) {
    const place = path.replaceAll(/\{\w+\}/g, 'x')
    const { status, text } = await emulator.send(`/_emulator${place}?nonsense=1`, { method })
    expect({ path, status, text }).toEqual({ path, status: 400, text: expect.stringContaining('nonsense') })
  }
})

test('every promised call is there, and none twice', () => {
  const there = controlCalls.map(({ method, path }) => `${method} ${path}`)
  expect(there.filter((each, index) => there.indexOf(each) !== index)).toEqual([])
  expect(there).toEqual(expect.arrayContaining(promised))
})

const promised = [
  'GET /health',
  'GET /clients',
  'POST /clients',
  'GET /clients/{clientId}',
  'PATCH /clients/{clientId}',
  'DELETE /clients/{clientId}',
  'GET /clock',
  'PUT /clock',
  'POST /clock/advance',
  'POST /clock/advance-to-next',
  'POST /clock/run-until-idle',
  'GET /orders',
  'POST /orders',
  'GET /orders/{orderId}',
  'POST /orders/{orderId}/pay',
  'POST /orders/{orderId}/refunds',
  'POST /subscriptions/{requestId}/cancel',
  'GET /users',
  'GET /deliveries',
  'GET /deliveries/{id}',
  'POST /deliveries',
  'POST /deliveries/{id}/resend',
  'POST /deliveries/hold',
  'POST /deliveries/release',
  'GET /requests',
  'GET /requests/{id}',
  'POST /requests/verify',
  'POST /wait',
  'GET /events',
  'GET /scenarios',
  'GET /scenarios/{id}',
  'PUT /scenarios/{id}',
  'GET /scenarios/{id}/explain',
  'POST /scenarios/next',
  'GET /scenarios/next',
  'DELETE /scenarios/next',
  'GET /scenarios/problems',
  'DELETE /scenarios/{id}',
  'POST /fixtures',
  'GET /coverage',
  'DELETE /coverage',
  'GET /snapshot',
  'PUT /snapshot',
  'POST /reset',
  'GET /choices',
  'GET /settings',
  'PATCH /settings',
  'GET /faults',
  'POST /faults',
  'DELETE /faults',
  'GET /faults/{id}',
  'DELETE /faults/{id}',
  'GET /metrics',
  'GET /docs',
  'GET /openapi.json',
  'GET /openapi-control.json',
]
