import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../support/answer.ts'
import { startFixture } from '../support/emulator.ts'
import { expectStatus } from '../support/expect.ts'
import { pageOf } from '../support/payment-page.ts'

async function ordered(changes: JsonObject) {
  const fixture = await startFixture()
  const { c1, emulator } = fixture
  const answer = await c1.createCheckout(c1.checkout('r1', { mode: 'returnUrl', ...changes }))
  expectStatus(answer, 200)
  return { ...fixture, created: answer.json, page: await pageOf(c1, emulator, 'r1') }
}

test('R34: the URL for mode returnUrl leads to a page that any page may show in a frame', async () => {
  const { created, emulator } = await ordered({})
  const { status, headers } = await emulator.send(new URL(String(created.url)).pathname, { method: 'GET' })
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(headers).not.toHaveProperty('x-frame-options')
  expect(headers['content-security-policy']).toContain('frame-ancestors *')
})

describe('after the payment the browser goes to callbackUrl', () => {
  const callbackUrl = 'https://shop.test/back?x=1'

  test.each([
    ['completed', 'CREATED', { outcome: 'completed' }],
    ['failed', 'FAILED', { outcome: 'failed', errorCode: '9005' }],
  ])('R41: %s: with data added, and the query it had', async (_, orderStatus, choice) => {
    const { page, c1 } = await ordered({ callbackUrl })
    const { status, headers } = await page.choose(choice)
    expect(status).toBe(302)
    const [before, data = ''] = String(headers.location).split('&data=')
    expect(before).toBe(callbackUrl)
    const { orderId } = await c1.order('r1')
    expect(JSON.parse(Buffer.from(data, 'base64url').toString())).toEqual({
      requestId: 'r1',
      orderId,
      orderStatus,
    })
  })

  test('R41: the fragment stays at the end, and an app scheme is as good', async () => {
    const web = await ordered({ callbackUrl: 'https://shop.test/back#part' })
    const { headers } = await web.page.choose({ outcome: 'completed' })
    expect(headers.location).toMatch(/^https:\/\/shop\.test\/back\?data=[\w-]+#part$/)
    const app = await ordered({ callbackUrl: 'myshop://paid' })
    const answer = await app.page.choose({ outcome: 'completed' })
    expect(answer.headers.location).toMatch(/^myshop:\/\/paid\?data=[\w-]+$/)
  })
})
