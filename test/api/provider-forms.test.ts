import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { behaviours } from '../../src/domain/sweep/behaviours.ts'
import { startFixture, startTestEmulator } from '../support/emulator.ts'
import { aFolder } from '../support/folder.ts'
import { startReceiver } from '../support/receiver.ts'

const created = async (settings: object, body: object = {}) => {
  const { c1, emulator } = await startFixture({ settings })
  const answer = await c1.createCheckout(c1.checkout('r1', { ...body }))
  return { answer, c1, emulator }
}

describe('ids in a form of one’s own (N83)', () => {
  const forms = { 'orders.ids': 'PO-${createdAt:yyyymmdd}-${digits:6}', 'orders.tokens': 'tok_${base62:24}' }

  test('stand in the answer, in both lookups, and in the control API', async () => {
    const { answer, c1, emulator } = await created(forms)
    expect(answer.json.token).toMatch(/^tok_[0-9A-Za-z]{24}$/)
    const { orderId } = (await c1.fiatOrders('r1')).record
    expect(orderId).toMatch(/^PO-20260421-\d{6}$/)
    expect((await c1.cryptoOrders('r1')).record.orderId).toBe(orderId)
    const found = await emulator.control(`/orders/${orderId}`)
    expect(found.json).toMatchObject({ orderId, token: answer.json.token })
    expect((await emulator.control(`/deliveries?orderId=${orderId}`)).items).toHaveLength(1)
  })

  test('are the same whenever the same test runs', async () => {
    const [first, second] = await Promise.all([created(forms), created(forms)])
    expect((await second.c1.order('r1')).orderId).toBe((await first.c1.order('r1')).orderId)
    expect(second.answer.json.token).toBe(first.answer.json.token)
  })

  test('are drawn again while they are taken', async () => {
    const { orderId } = await (await created(forms)).c1.order('r1')
    const { c1, emulator } = await startFixture({ settings: forms })
    const other = { clients: [{ clientId: 'other', orders: [{ orderId }] }] }
    await emulator.control('/fixtures', 'POST', other)
    const answer = await c1.createCheckout('r1')
    expect(answer.status).toBe(200)
    const own = (await c1.order('r1')).orderId
    expect(own).toMatch(/^PO-20260421-\d{6}$/)
    expect(own).not.toBe(orderId)
  })

  test('also those of orders that are unknown', async () => {
    const receiver = await startReceiver()
    const strangers = behaviours.filter(({ name }) => name === 'webhook-unknown-order')
    const sweep = { behaviours: strangers, record: join(aFolder(), 'record.jsonl'), seed: 'a' }
    const emulator = await startTestEmulator({}, onTestFinished, { sweep })
    const c1 = await emulator.addClient({ webhookUrl: receiver.url, settings: forms })
    await c1.createCheckout('r1')
    await c1.settle()
    const ids = receiver.requests.map(({ json }) => json.orderId)
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) expect(id).toMatch(/^PO-20260421-\d{6}$/)
  })

  test('each charge of a subscription has its own', async () => {
    const { c1 } = await created(forms)
    await c1.createSubscription('s1')
    await c1.advance('70d')
    const ids = (await c1.fiatOrders('s1')).data.map(({ orderId }) => orderId)
    expect(ids.length).toBeGreaterThan(1)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^PO-\d{8}-\d{6}$/)
  })
})

describe('values and forms of answers (N84)', () => {
  test('partner and selectedPaymentMethod', async () => {
    const values = { 'responses.partner': 'acquirer-7', 'responses.selectedPaymentMethod': 'NONE' }
    const { answer, c1 } = await created(values)
    expect(answer.json.offerInfoData).toMatchObject({ selectedPaymentMethod: 'NONE' })
    expect((await c1.fiatOrders('r1')).record).toMatchObject({ partner: 'acquirer-7', paymentMethod: 'NONE' })
  })

  test('a payment method that was sent stays', async () => {
    const { answer } = await created(
      { 'responses.selectedPaymentMethod': 'NONE' },
      { paymentMethodId: 'PIX' },
    )
    expect(answer.json.offerInfoData).toMatchObject({ selectedPaymentMethod: 'PIX' })
  })

  test.each([
    ['10', '10.00'],
    ['10.5', '10.50'],
    ['0.01', '0.01'],
    ['00012.3', '12.30'],
  ])('`amounts.echo: two-decimals` shows %s as %s', async (fiatAmount, shown) => {
    const { answer, c1 } = await created({ 'amounts.echo': 'two-decimals' }, { fiatAmount })
    expect(answer.json.offerInfoData).toMatchObject({ totalFiatAmount: shown })
    expect((await c1.fiatOrders('r1')).record.exchangeAmount).toBe(shown)
  })

  test.each([
    [{ percentage: '2.9', fixed: '0.30' }, '10', '10.59'],
    [{ percentage: '2.5' }, '0.20', '0.21'],
    [{ percentage: '2.5' }, '0.19', '0.19'],
    [{ fixed: '1' }, '99999999999999999999.99', '100000000000000000000.99'],
  ])('fees of %j on %s make %s', async (fee, fiatAmount, total) => {
    const { answer, c1 } = await created({ 'amounts.fee': fee }, { fiatAmount })
    expect(answer.json.offerInfoData).toMatchObject({ totalFiatAmount: total })
    expect((await c1.fiatOrders('r1')).record.exchangeAmount).toBe(fiatAmount)
  })

  test('the URL of the payment page stands inside an object', async () => {
    const { answer } = await created(
      { 'responses.urlField': 'offerInfoData.links.url' },
      { mode: 'returnUrl' },
    )
    expect(answer.json).toMatchObject({
      offerInfoData: { type: 'BUY', links: { url: expect.stringContaining('/pay/') } },
    })
    expect(answer.json).not.toHaveProperty('url')
  })

  test('also in the compact answer for a subscription', async () => {
    const settings = { 'responses.urlField': 'links.pay', 'responses.subscription': 'compact' }
    const { c1 } = await created(settings)
    const { json } = await c1.createSubscription(c1.subscription('s1', { mode: 'returnUrl' }))
    expect(Object.keys(json)).toEqual(['requestId', 'links', 'token', 'status'])
  })
})

test('the payment page has the path of the settings, with its assets and forms, and keeps its own', async () => {
  const { c1, emulator } = await created({})
  await emulator.control('/settings', 'PATCH', { 'paths.paymentPage': '/hosted/checkout' })
  const { json } = await c1.createCheckout(
    c1.checkout('r2', { mode: 'returnUrl', callbackUrl: 'shop://done' }),
  )
  const url = new URL(String(json.url))
  expect(url.pathname).toBe(`/hosted/checkout/${json.token}`)
  const page = await emulator.send(url.pathname, { method: 'GET' })
  expect(page.status).toBe(200)
  const [style = ''] = /[^"]*\.css/.exec(page.text) ?? []
  const asset = await emulator.send(new URL(style, url).pathname, { method: 'GET' })
  expect(asset.headers['content-type']).toContain('text/css')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const paid = await emulator.send(url.pathname, { method: 'POST', headers, body: 'outcome=completed' })
  expect([paid.status, paid.headers.location]).toEqual([302, expect.stringContaining('shop://done?data=')])
  expect((await emulator.send(`/pay/${json.token}`, { method: 'GET' })).status).toBe(200)
  await emulator.control('/settings', 'PATCH', { 'paths.paymentPage': null })
  expect((await emulator.send(url.pathname, { method: 'GET' })).status).toBe(404)
})
