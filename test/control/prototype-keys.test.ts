import { expect, test } from 'vitest'
import { startFixture } from '../support/emulator.ts'

test.each([
  ['/requests/verify', '{"where":{"__proto__":"zz"},"atLeast":1}', 'where.__proto__'],
  ['/wait', '{"for":"order","where":{"__proto__":"zz"}}', 'where.__proto__'],
  ['/faults', '{"on":"orders","effect":{"status":503,"__proto__":{}}}', 'effect.__proto__'],
  ['/clients', '{"settings":{"__proto__":1}}', 'settings.__proto__'],
  ['/orders', '{"clientId":"C1","kind":"payout","metadata":{"__proto__":1}}', 'metadata.__proto__'],
  ['/deliveries', '{"clientId":"C1","body":{"a":[{"\\u005f_proto__":1}]}}', 'body.a.0.__proto__'],
])('POST %s refuses %s by its name', async (path, body, place) => {
  const { emulator } = await startFixture()
  const headers = { 'content-type': 'application/json' }
  const answer = await emulator.send(`/_emulator${path}`, { method: 'POST', headers, body })
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(`${place}: `)])
})
