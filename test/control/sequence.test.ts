import { expect, test } from 'vitest'
import { startFixture } from '../support/emulator.ts'
import { startReceiver } from '../support/receiver.ts'

const textOf = (headers: Readonly<Record<string, unknown>>, name: string) => String(headers[name])

test('a sequence comes as JSON, as SVG and as Mermaid text of the same messages', async () => {
  const receiver = await startReceiver()
  const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url })
  await c1.createCheckout('r1')
  await c1.settle()
  const { orderId } = await c1.order('r1')
  const path = `/_emulator/orders/${orderId}/sequence`
  const get = (query = '') => emulator.send(`${path}${query}`, { method: 'GET' })
  const [json, svg, mermaid] = await Promise.all([get(), get('?format=svg'), get('?format=mermaid')])
  const messages = json.json.messages
  expect(messages).toMatchObject([
    { kind: 'call', from: 'application', to: 'service', text: 'create-checkout-order' },
    { kind: 'note', from: 'service', text: 'order created: CREATED' },
    { kind: 'answer', from: 'service', to: 'application', text: '200' },
    { kind: 'call', from: 'service', to: 'webhook', text: 'webhook CREATED' },
    { kind: 'answer', from: 'webhook', to: 'service', text: '200' },
  ])
  expect(textOf(svg.headers, 'content-type')).toBe('image/svg+xml')
  expect(textOf(svg.headers, 'content-security-policy')).toContain("default-src 'none'")
  expect(svg.text.match(/data-message="/g)).toHaveLength(5)
  expect(textOf(mermaid.headers, 'content-type')).toBe('text/plain; charset=utf-8')
  expect(mermaid.text).toMatch(/^sequenceDiagram\n {2}title Order r1\n/)
})

test.each(['', 'png', 'SVG'])('the format %j is refused, with those that there are', async (format) => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  const { orderId } = await c1.order('r1')
  const { status, text } = await emulator.send(`/_emulator/orders/${orderId}/sequence?format=${format}`, {
    method: 'GET',
  })
  expect(status).toBe(400)
  expect(text).toContain('mermaid')
})

test('an order of another client has no sequence, and neither has one that is not there', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  const { orderId } = await c1.order('r1')
  const at = (path: string) => emulator.send(`/_emulator/orders/${path}`, { method: 'GET' })
  expect((await at(`${orderId}/sequence?clientId=C2`)).status).toBe(404)
  expect((await at('nobody/sequence?format=svg')).status).toBe(404)
})

test('requests about another requestId, and those before a later charge, are not in it', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createSubscription('s1')
  await c1.createCheckout('s10')
  await c1.advance('P2M')
  await c1.fiatOrders('s1')
  const { items } = await emulator.control('/orders?requestId=s1&charge=2')
  const { json } = await emulator.send(`/_emulator/orders/${items[0]?.orderId}/sequence`, { method: 'GET' })
  const texts = JSON.stringify(json.messages)
  expect(texts).not.toContain('create-')
  expect(texts.match(/lookup orders/g)).toHaveLength(1)
})
