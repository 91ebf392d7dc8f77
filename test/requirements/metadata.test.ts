import { describe, expect, test } from 'vitest'
import { paths } from '../support/client.ts'
import { startFixture } from '../support/emulator.ts'
import { expectStatus } from '../support/expect.ts'
import { openPage } from '../support/page.ts'

describe('1b: metadata', () => {
  test.each([
    '{"a":{"b":[1,null,"é"]}}',
    '{"__proto__":{"x":1}}',
    '{"constructor":{"prototype":1},"":"","ключ":{"😀":[[],{}]}}',
  ])('R47: metadata %s comes back in the crypto lookup as it was passed', async (metadata) => {
    const { c1 } = await startFixture()
    const body = JSON.stringify(c1.checkout('r1')).replace(/}$/, `,"metadata":${metadata}}`)
    const signed = 'fiatAmount=10.00&requestId=r1'
    expectStatus(await c1.post('/v1/client/checkout/create-order', body, { signed }), 200)
    const { text, record } = await c1.cryptoOrders('r1')
    expect(record.metadata).toEqual(JSON.parse(metadata))
    expect(text).toContain(`"metadata":${metadata}`)
  })

  test('R48: metadata stands neither in the create answer nor in the fiat lookup', async () => {
    const { c1 } = await startFixture()
    const created = await c1.createCheckout(c1.checkout('r1', { metadata: { findMe: 1 } }))
    const fiat = await c1.fiatOrders('r1')
    expectStatus(created, 200)
    for (const { text } of [created, fiat]) expect(text).not.toMatch(/metadata|findMe/)
    expect(fiat.data).toHaveLength(1)
  })
})

describe('N69: metadata', () => {
  const texts = [
    ['big integers', '{"id":12345678901234567890,"f":1.10,"e":1E400,"z":-0}'],
    ['order of keys', '{"b":1,"a":2,"10":3,"9":4}'],
    ['doubled keys', '{"a":1,"a":2}'],
    ['__proto__', '{"__proto__":{"x":1},"constructor":{"prototype":{"y":2}}}'],
    ['escapes', '{"a\\u0062":"\\u00e9\\/\\"}{","😀":"\\ud83d\\ude00"}'],
    ['white space', '{ "a" :\t[ 1,\n 2 ] }'],
    ['a member of its own name', '{"metadata":{"metadata":"}"}}'],
    ['nothing', '{}'],
    ['numbers that are larger or smaller than any that can be read', '{"a":1e400,"b":-1E999,"c":0.1e-400}'],
    ['100,000 digits', `{"a":${'9'.repeat(100_000)}}`],
    ['halves of surrogate pairs', '{"a":"\\ud800","\\udc00":1}'],
  ] as const

  test.each(texts)('N69: %s: %s comes back byte for byte', async (_, metadata) => {
    const { c1, emulator } = await startFixture()
    const { requestId, ...rest } = c1.checkout('r1')
    const body = `{"metadata": ${metadata} , "billingData":{"metadata":{"no":1}},${JSON.stringify(rest).slice(1, -1)},"requestId":"${requestId}"}`
    expectStatus(await c1.post(paths.checkout, body, { signed: 'fiatAmount=10.00&requestId=r1' }), 200)
    expect((await c1.cryptoOrders('r1')).text).toContain(`"metadata":${metadata}}`)
    expect((await emulator.control('/orders')).text).toContain(`"metadata":${metadata}`)
  })

  const tooLarge = ['numbers that are larger', '100,000 digits', '__proto__']
  test.each(texts.filter(([what]) => !tooLarge.some((name) => what.startsWith(name))))(
    'N69: %s: %s of an order by hand comes back byte for byte, unless it cannot be read',
    async (_, text) => {
      const { c1, emulator } = await startFixture()
      const metadata = text.replace('1E400', '1E40')
      const headers = { 'content-type': 'application/json' }
      const body = `{"clientId":"C1","requestId":"r1", "metadata" :${metadata}}`
      const made = await emulator.send('/_emulator/orders', { method: 'POST', headers, body })
      expect([made.status, made.text]).toEqual([201, expect.stringContaining(`"metadata":${metadata}}`)])
      expect((await c1.cryptoOrders('r1')).text).toContain(`"metadata":${metadata}}`)
    },
  )

  test.each(['1e400', '-1e999', '9'.repeat(1_000)])(
    'N69: an order by hand with the number %s is refused: it would be told as null',
    async (number) => {
      const { emulator } = await startFixture()
      const headers = { 'content-type': 'application/json' }
      const body = `{"clientId":"C1","metadata":{"a":${number}}}`
      const answer = await emulator.send('/_emulator/orders', { method: 'POST', headers, body })
      const words = 'metadata.a: expected text, a number, `true` or `false`, `null`, a list or an object'
      expect([answer.status, answer.json]).toMatchObject([
        400,
        {
          error: { message: `${words}, not ${Number(number)}; put it in quotes` },
        },
      ])
    },
  )

  test('N69: it survives a snapshot and its page byte for byte', async () => {
    const { c1, emulator } = await startFixture()
    const metadata = '{"b":1e400,"10":12345678901234567890,"a":-0,"b":1.10}'
    const body = JSON.stringify(c1.checkout('r1')).replace(/}$/, `,"metadata":${metadata}}`)
    await c1.post(paths.checkout, body, { signed: 'fiatAmount=10.00&requestId=r1' })
    const { text } = await emulator.control('/snapshot')
    await emulator.control('/reset', 'POST', {})
    const headers = { 'content-type': 'application/json' }
    const restored = await emulator.send('/_emulator/snapshot', { method: 'PUT', headers, body: text })
    expectStatus(restored, 200)
    expect((await c1.cryptoOrders('r1')).text).toContain(`"metadata":${metadata}}`)
    const { orderId } = await c1.order('r1')
    const { html } = await openPage(emulator, `/_emulator/ui/orders/${orderId}`)
    const quoted = '{\n  "b": 1e400,\n  "10": 12345678901234567890,\n  "a": -0,\n  "b": 1.10\n}'
    expect(html.replaceAll(/<[^>]*>/g, '')).toContain(quoted.replaceAll('"', '&quot;'))
  })

  test('N69: of two `metadata` the later one counts, and its name may be escaped', async () => {
    const { c1 } = await startFixture()
    const body = JSON.stringify(c1.checkout('r1')).replace(
      '{',
      '{"metadata":{"a":1},"met\\u0061data":{"b":2.0},',
    )
    expectStatus(await c1.post(paths.checkout, body, { signed: 'fiatAmount=10.00&requestId=r1' }), 200)
    expect((await c1.cryptoOrders('r1')).text).toContain('"metadata":{"b":2.0}')
  })

  test('N69: 200 KiB of it come back too', async () => {
    const { c1 } = await startFixture()
    const metadata = { emoji: '😀'.repeat(25_000), list: Array.from({ length: 10_000 }, (_, n) => n) }
    expectStatus(await c1.createCheckout(c1.checkout('r1', { metadata })), 200)
    expect((await c1.cryptoOrders('r1')).text).toContain(`"metadata":${JSON.stringify(metadata)}}`)
  })

  test('N69: an order without metadata has none', async () => {
    const { c1 } = await startFixture()
    await c1.createCheckout('r1')
    expect((await c1.cryptoOrders('r1')).record).not.toHaveProperty('metadata')
  })
})
