import { expect, test } from 'vitest'
import { startTestEmulator } from '../support/emulator.ts'

test.each([
  ['GET', '/order/p1', 'GET /_emulator/orders/{orderId}'],
  ['POST', '/fault', 'POST /_emulator/faults'],
  ['GET', '/Clients', 'GET /_emulator/clients'],
  ['GET', '/clients/', 'GET /_emulator/clients'],
  ['POST', '/advance', 'POST /_emulator/clock/advance'],
  ['GET', '/orders/a/refund', 'POST /_emulator/orders/{orderId}/refunds'],
])('%s %s is told that %s is nearest', async (method, path, nearest) => {
  const emulator = await startTestEmulator()
  const { status, text } = await emulator.send(`/_emulator${path}`, { method })
  expect(status).toBe(404)
  expect(text).toContain(`Nearest: ${nearest}. For all calls, see /_emulator/docs.`)
})

test.each(['/', '/_emulator/zzzzzzzzzzzz'])('%s names the page of all calls', async (path) => {
  const emulator = await startTestEmulator()
  const { status, text } = await emulator.send(path, { method: 'GET' })
  expect(status).toBe(404)
  expect(text).toContain('/_emulator/docs')
  expect(text).not.toContain('Nearest')
})

test('a browser that asks for / is sent to the dashboard, and nobody else is', async () => {
  const emulator = await startTestEmulator({ controlToken: 'right-token' })
  const ask = (accept: string, method = 'GET', path = '/') =>
    emulator.send(path, { method, headers: { accept } })
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  expect(await ask(browser)).toMatchObject({ status: 302, headers: { location: '/_emulator/' } })
  expect((await ask(browser, 'GET', '/?x=1')).status).toBe(302)
  for (const accept of ['*/*', 'application/json']) expect((await ask(accept)).status).toBe(404)
  expect((await ask(browser, 'POST')).status).toBe(404)
  expect((await ask(browser, 'GET', '/v2')).status).toBe(404)
})

test.each([
  ['GET', '/deliveries/release', 'POST'],
  ['GET', '/orders/o1/pay', 'POST'],
  ['PUT', '/scenarios/next', 'POST, GET, DELETE'],
  ['POST', '/health', 'GET'],
  ['DELETE', '/clients', 'GET, POST'],
  ['POST', '/orders/o1', 'GET'],
])('%s %s answers 405: it takes %s', async (method, path, allow) => {
  const emulator = await startTestEmulator()
  const answer = await emulator.send(`/_emulator${path}`, { method })
  expect(answer).toMatchObject({ status: 405, headers: { allow } })
  expect(answer.text).toContain(`/_emulator${path} takes ${allow}, not ${method}.`)
})

test('a point in a path stands for itself', async () => {
  const emulator = await startTestEmulator()
  const { status } = await emulator.send('/_emulator/openapiXjson', { method: 'POST' })
  expect(status).toBe(404)
})
