import { afterAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../support/answer.ts'
import type { ClientFields } from '../support/client.ts'
import { startTestEmulator } from '../support/emulator.ts'
import { expectStatus } from '../support/expect.ts'
import { PaymentPage, pageOf, readable } from '../support/payment-page.ts'

/** One for all tests of this file: each takes a client of its own. */
const emulator = await startTestEmulator({}, afterAll)

/** An order that waits for its payer, and its page. */
async function ordered(changes: JsonObject = {}, fields: ClientFields = {}) {
  const client = await emulator.addClient(fields)
  expectStatus(await client.createCheckout(client.checkout('r1', { mode: 'returnUrl', ...changes })), 200)
  return { client, page: await pageOf(client, emulator, 'r1') }
}

type Ordered = Awaited<ReturnType<typeof ordered>>

/** The page of an order that the control API made, which checks less. */
async function made(members: object): Promise<PaymentPage> {
  const { clientId } = await emulator.addClient()
  const { json } = await emulator.control('/orders', 'POST', { clientId, ...members })
  return new PaymentPage(emulator, json.token)
}

test('a form that is not UTF-8 pays nothing', async () => {
  const { client, page } = await ordered()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = 'outcome=failed&errorCode=%E9'
  const answer = await emulator.send(`/pay/${page.token}`, { method: 'POST', headers, body })
  expect([answer.status, answer.text]).toEqual([
    400,
    expect.stringContaining('errorCode: is not valid UTF-8'),
  ])
  expect(await client.order('r1')).toMatchObject({ orderStatus: 'CREATED' })
})

describe('what a payer sees', () => {
  test('amount, message, description, method, and until when', async () => {
    const { page } = await ordered({
      fiatAmount: '24.90',
      userMessage: 'Two coffees',
      requestDescription: 'Corner Café',
      paymentMethodId: 'card',
    })
    const text = readable(await page.open())
    expect(text).toContain('Test environment Not a real payment page. No money moves.')
    expect(text).toContain('Amount to pay $24.90')
    expect(text).toContain('Two coffees')
    expect(text).toContain('Corner Café')
    expect(text).toContain('Payment method card')
    expect(text).toContain('Valid until Apr 21, 2026, 4:15:00 PM UTC')
    expect(text).toContain('Pay $24.90')
  })

  test('no method where none was chosen', async () => {
    const { page } = await ordered()
    expect(readable(await page.open())).not.toMatch(/Payment method|Any/)
  })

  test('until when without seconds, where that is days away', async () => {
    const { page } = await ordered({}, { settings: { orders: { expiry: '30d' } } })
    expect(readable(await page.open())).toContain('Valid until May 21, 2026, 4:00 PM UTC')
  })

  test('each code with which it can be declined, in full', async () => {
    const { page } = await ordered()
    const answer = await page.open()
    expect(readable(answer)).toMatch(
      /9004 Error occurred while the payment was processed by the payment partner/,
    )
    expect(answer.text).toContain('<option value="9004">9004</option>')
  })

  test.each([
    ['en', 'en', 'Pay $1,234.50'],
    ['es', 'es', 'Pagar 1234,50\u00a0US$'],
    ['pt', 'pt', 'Pagar US$\u00a01.234,50'],
    ['hi', 'hi', '$1,234.50 का भुगतान करें'],
    ['de', 'en', 'Pay $1,234.50'],
  ])('for lang %s the page speaks %s', async (lang, spoken, button) => {
    const { page } = await ordered({ lang, fiatAmount: '1234.5' })
    const { text } = await page.open()
    expect(text).toContain(`<html lang="${spoken}">`)
    expect(text).toContain(`>${button}</button>`)
  })

  test.each([
    ['brl_br', '10.50', 'R$10.50'],
    ['jpy', '10.50', '¥10.50'],
    ['jpy', '500.5', '¥500.50'],
    ['jpy', '500.00', '¥500'],
    ['points', '10.50', '10.50 points'],
    ['xyz_x', '3', '3 xyz_x'],
    ['usd_us', '123456789012345678901.99', '$123,456,789,012,345,678,901.99'],
  ])('%s %s is written as %s, and never rounded', async (currencyId, fiatAmount, written) => {
    const { page } = await ordered({ currencyId, fiatAmount })
    expect(readable(await page.open())).toContain(`Amount to pay ${written} `)
  })

  test.each([
    [{}, 'the order stays CREATED'],
    [{ settings: { orders: { onExpiry: 'fail' } } }, 'the order becomes FAILED'],
    [{ settings: { orders: { onExpiry: 'abandon' } } }, 'the order becomes ABANDONED'],
    [{ settings: { orders: { autopay: 'always' } } }, 'the order goes on without the payer'],
  ])('with %j it says what waiting leads to: %s', async (fields, words) => {
    const { page } = await ordered({}, fields)
    expect(readable(await page.open())).toContain(`If you do nothing, ${words}`)
  })

  test('the codes of the catalogue, but none that only a create call answers', async () => {
    const settings = { errors: { catalog: { '8000.1': 'Card expired' } } }
    const { text } = await (await ordered({}, { settings })).page.open()
    const codes = [...text.matchAll(/<option value="([^"]*)"/g)].map(([, code]) => code)
    expect(codes).toEqual(['9004', '9005', '9006.1', '8000.1'])
  })

  test('what the app would open', async () => {
    const deviceContext = { deviceOS: 'IOS' }
    const { page } = await ordered({ mode: 'returnAppUrl', targetApp: 'some bank', deviceContext })
    const text = readable(await page.open())
    expect(text).toContain(`App some bank`)
    expect(text).toContain('Device IOS')
    expect(text).toContain(`paymentemulator://pay?token=${page.token}&amp;app=some%20bank`)
  })

  test('how often a subscription is charged, and how long its trial is', async () => {
    const client = await emulator.addClient()
    await client.createSubscription(client.subscription('s1', { trialPeriodDays: '7' }))
    const text = readable(await (await pageOf(client, emulator, 's1')).open())
    expect(text).toContain('Subscription every month')
    expect(text).toContain('Free at first 7 days')
    expect(text).toContain('Agree to the subscription')
  })

  test.each([
    [{ mode: 'manual' }, 'The clock of this test is stopped', '"0"'],
    [{ speed: 60 }, 'The clock of this test runs 60 times as fast', '"60"'],
    [{ mode: 'real' }, '', '"1"'],
  ])('how the time of the client passes: %j', async (clock, words, speed) => {
    const { page } = await ordered({}, { clock })
    const answer = await page.open()
    expect(answer.text).toContain(`data-speed=${speed}`)
    expect(readable(answer)).toContain(words)
    if (words === '') expect(readable(answer)).not.toContain('The clock of this test')
  })

  test('nothing that anybody wrote is HTML', async () => {
    const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`
    const members = { userMessage: evil, requestDescription: evil, currencyId: evil, paymentMethodId: evil }
    const more = { requestId: evil, targetApp: evil, lang: evil, callbackUrl: evil, mode: 'returnAppUrl' }
    const page = await made({ ...members, ...more })
    const open = await page.open()
    await page.choose({ outcome: 'failed', errorCode: '<script>alert(1)</script>' })
    for (const { text } of [open, await page.open()]) {
      expect(text.match(/&lt;script&gt;alert/g)?.length).toBeGreaterThan(4)
      expect(text).not.toMatch(/<script>|<img/)
    }
  })
})

describe('a page with nothing to pay', () => {
  const ends = [
    ['paid', async ({ client }: Ordered) => client.pay('r1', 'completed')],
    [
      'completed',
      async ({ client }: Ordered) => {
        await client.pay('r1', 'completed')
        await client.advance('3s')
      },
    ],
    ['failed', async ({ client }: Ordered) => client.pay('r1', 'failed', '9005')],
    ['abandoned', async ({ client }: Ordered) => client.pay('r1', 'abandoned')],
    ['expired', async ({ client }: Ordered) => client.advance('15m')],
  ] as const

  test.each(ends)(
    '%s: has words of its own, and no choice any more changes the order',
    async (state, lead) => {
      const all = await ordered()
      await lead(all)
      const { page, client } = all
      const shown = await page.open()
      expectStatus(shown, 200)
      expect(shown.text).toContain(`data-state="${state}"`)
      expect(shown.text).not.toContain('<form')
      const before = await client.order('r1')
      for (const outcome of ['completed', 'failed', 'abandoned']) await page.choose({ outcome })
      expect(await client.order('r1')).toEqual(before)
    },
  )

  test('failed: the reason', async () => {
    const { page } = await ordered()
    await page.choose({ outcome: 'failed', errorCode: '9004' })
    const text = readable(await page.open())
    expect(text).toContain('9004 Error occurred while the payment was processed by the payment partner')
  })

  test.each(['payout', 'crypto-payin'])('a %s says that no payer sees it', async (kind) => {
    const page = await made({ kind })
    expect(readable(await page.open())).toContain('Payouts and crypto payins have no payment page')
    await page.choose({ outcome: 'completed' })
    expect(await page.state()).toBe('no-payer')
  })

  test('a later charge of a subscription is nobody’s to pay', async () => {
    const client = await emulator.addClient()
    await client.createSubscription('s1')
    await client.advance('P2M')
    const { items } = await emulator.control(`/orders?clientId=${client.clientId}`)
    const page = new PaymentPage(emulator, items.find(({ charge }) => charge === 2)?.token)
    expect(readable(await page.open())).toContain('a later charge of a subscription')
  })

  test('an unknown token is 404, and so is whatever else stands below /pay', async () => {
    const { page } = await ordered()
    const unknown = new PaymentPage(
      emulator,
      page.token.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    )
    for (const answer of [
      await unknown.open(),
      await unknown.choose({ outcome: 'completed' }),
      await new PaymentPage(emulator, 'no/such/page').open(),
      await emulator.send('/pay', { method: 'GET' }),
    ]) {
      expectStatus(answer, 404)
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(readable(answer)).toContain('No such payment')
    }
  })

  test('the token is the key, and an orderId is none', async () => {
    const { client } = await ordered()
    const { orderId } = await client.order('r1')
    expectStatus(await new PaymentPage(emulator, orderId).open(), 404)
  })
})

describe('a payer who clicks', () => {
  test('twice is sent to the same place twice, and pays once', async () => {
    const { page, client } = await ordered({ callbackUrl: 'https://shop.test/' })
    const both = await Promise.all([
      page.choose({ outcome: 'completed' }),
      page.choose({ outcome: 'completed' }),
    ])
    for (const { status, headers } of both) {
      expect([status, String(headers.location).split('?')[0]]).toEqual([302, 'https://shop.test/'])
    }
    expect((await client.order('r1')).history).toMatchObject([{ what: 'created' }, { what: 'paid' }, {}])
  })

  test('leave and pay at once: whoever leaves first has left', async () => {
    const { page, client } = await ordered()
    await Promise.all(['abandoned', ...Array(5).fill('completed')].map((outcome) => page.choose({ outcome })))
    const history = JSON.stringify((await client.order('r1')).history)
    expect([history.includes('"abandoned"'), history.includes('"paid"')].filter(Boolean)).toHaveLength(1)
  })

  test('two things at once gets one of them, and is told that the other came too late', async () => {
    const { page } = await ordered()
    const answers = await Promise.all([
      page.choose({ outcome: 'completed' }),
      page.choose({ outcome: 'failed', errorCode: '9004' }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 303])
    expect(readable(answers.find(({ status }) => status === 200) ?? answers[0])).toContain(
      'Nothing was changed',
    )
  })

  test('declines twice with different codes is told that the second one came too late', async () => {
    const { page, client } = await ordered()
    await page.choose({ outcome: 'failed', errorCode: '9004' })
    const { status } = await page.choose({ outcome: 'failed', errorCode: '9005' })
    expect(status).toBe(200)
    expect((await page.choose({ outcome: 'failed', errorCode: '9004' })).status).toBe(303)
    expect((await client.order('r1')).errorReason).toMatchObject({ errorCode: '9004' })
  })

  test('declines without a code gets 9004', async () => {
    const { page, client } = await ordered()
    expectStatus(await page.choose({ outcome: 'failed' }), 303)
    expect((await client.order('r1')).errorReason).toMatchObject({ errorCode: '9004' })
  })

  test('on a page that is out of date is told so', async () => {
    const { page, client } = await ordered({ callbackUrl: 'https://shop.test/' })
    await client.pay('r1', 'failed')
    const answer = await page.choose({ outcome: 'completed' })
    expectStatus(answer, 200)
    expect(readable(answer)).toContain('Nothing was changed')
    expect(answer.text).toContain('data-state="failed"')
  })

  test.each([
    ['javascript:alert(document.domain)'],
    ['data:text/html,<script>alert(1)</script>'],
    ['//evil.test/'],
    ['https://shop.test/\r\nset-cookie: stolen=1'],
  ])('is never sent to %j, which the page shows as text', async (callbackUrl) => {
    const page = await made({ callbackUrl })
    const { status, headers } = await page.choose({ outcome: 'completed' })
    expect([status, headers.location, headers['set-cookie']]).toEqual([303, page.token, undefined])
    const shown = await page.open()
    expect(shown.text).not.toContain('<a ')
    expect(readable(shown)).toContain('is not a URL that a browser may open')
  })

  test('where there is no callbackUrl stays, and sees what happened', async () => {
    const { page } = await ordered()
    const { status, headers } = await page.choose({ outcome: 'completed' })
    expect([status, headers.location]).toEqual([303, page.token])
    expect(readable(await page.open())).toContain('The order has no callbackUrl')
  })

  test('after the payment finds the way back on the page, with the status of that moment', async () => {
    const { page, client } = await ordered({ callbackUrl: 'https://shop.test/back?x=1' })
    await page.choose({ outcome: 'completed' })
    await client.advance('3s')
    const [, data = ''] =
      /href="https:\/\/shop\.test\/back\?x=1&amp;data=([\w-]+)"/.exec((await page.open()).text) ?? []
    expect(JSON.parse(Buffer.from(data, 'base64url').toString())).toMatchObject({ orderStatus: 'COMPLETED' })
  })

  test.each([
    {},
    { outcome: 'paid' },
    { outcome: 'failed', errorCode: 'x'.repeat(33) },
    { outcome: 'failed', errorCode: '' },
  ])('cannot send %j, which no form has', async (fields) => {
    const { page, client } = await ordered()
    const answer = await page.choose(fields)
    expectStatus(answer, 400)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect((await client.order('r1')).history).toHaveLength(1)
  })

  test('in a frame of a merchant’s page, or with no origin at all, is heard: the token is the key', async () => {
    const { page, client } = await ordered()
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      ...{ origin: 'null', 'sec-fetch-site': 'cross-site', host: 'shop.example' },
    }
    const body = 'outcome=completed'
    expectStatus(await emulator.send(`/pay/${page.token}`, { method: 'POST', headers, body }), 303)
    expect((await client.order('r1')).history).toMatchObject([{}, { what: 'paid' }, {}])
  })
})

describe('a payer who waits', () => {
  const wait = (page: PaymentPage) => new PaymentPage(emulator, `${page.token}?waiting`).open()

  test.each(['completed', 'failed'] as const)('is sent back once the order has %s', async (outcome) => {
    const { page, client } = await ordered({ callbackUrl: 'https://shop.test/' })
    expectStatus(await wait(page), 200)
    await client.pay('r1', outcome)
    await client.advance('3s')
    const { status, headers } = await wait(page)
    const [where, data = ''] = String(headers.location).split('?data=')
    expect([status, where]).toEqual([302, 'https://shop.test/'])
    expect(JSON.parse(Buffer.from(data, 'base64url').toString()).orderStatus).toBe(outcome.toUpperCase())
  })

  test.each([
    ['to an app, which only a click opens', 'myshop://paid', 'failed'],
    ['to what a browser would run', 'javascript:alert(1)', 'failed'],
    ['without a callbackUrl', undefined, 'failed'],
    ['while the outcome is to come', 'https://shop.test/', 'completed'],
    ['after leaving', 'https://shop.test/', 'abandoned'],
  ])('is not sent %s', async (_, callbackUrl, outcome) => {
    const page = await made({ callbackUrl, mode: 'returnUrl' })
    await page.choose({ outcome })
    expectStatus(await wait(page), 200)
  })

  test('and only looks at the page of an ended order stays there', async () => {
    const { page, client } = await ordered({ callbackUrl: 'https://shop.test/' })
    await client.pay('r1', 'failed')
    expectStatus(await page.open(), 200)
  })

  test.each([
    ['choosing', async () => {}, null],
    ['paid', async ({ client }: Ordered) => client.pay('r1', 'completed'), '3; url=TOKEN?waiting'],
    ['left', async ({ client }: Ordered) => client.pay('r1', 'abandoned'), '30'],
    ['expired', async ({ client }: Ordered) => client.advance('15m'), '30'],
    ['failed', async ({ client }: Ordered) => client.pay('r1', 'failed'), null],
  ] as const)('without scripts looks again by itself: %s', async (_, lead, refresh) => {
    const all = await ordered()
    await lead(all)
    const [, content] =
      /<meta http-equiv="refresh" content="([^"]*)"/.exec((await all.page.open()).text) ?? []
    expect(content?.replace(all.page.token, 'TOKEN') ?? null).toBe(refresh)
  })

  test.each(['abandoned', 'expired'])('too long, or leaves, finds the way back: %s', async (state) => {
    const { page, client } = await ordered({ callbackUrl: 'https://shop.test/' })
    await (state === 'expired' ? client.advance('15m') : page.choose({ outcome: state }))
    expect((await page.open()).text).toMatch(/href="https:\/\/shop.test\/\?data=[^"]*">Back to the shop</)
  })

  test.each([
    ['never-pays', '1h', 'Nothing more is scheduled'],
    ['expired-abandoned', '15m', 'The payment was made, but the order has ended as ABANDONED'],
  ])('after the payment of %s is not told that an outcome is to come', async (scenario, by, words) => {
    const { page, client } = await ordered({}, { defaultScenario: scenario })
    await page.choose({ outcome: 'completed' })
    await client.advance(by)
    const shown = await page.open()
    expect(readable(shown)).toContain(words)
    expect(shown.text).not.toContain('content="3;')
  })
})

describe('every answer below /pay', () => {
  test('runs only what comes from here, is not kept, and tells nobody its address', async () => {
    const { page } = await ordered({ callbackUrl: 'https://shop.test/' })
    const send = (method: string, path = '') => emulator.send(`/pay/${page.token}${path}`, { method })
    for (const { headers } of [
      await page.open(),
      await send('HEAD'),
      await send('GET', '/state'),
      await send('PUT'),
      await page.choose({ outcome: 'completed' }),
      await page.choose({}),
      await new PaymentPage(emulator, 'nothing').open(),
    ]) {
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      })
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self'/,
      )
      expect(headers['content-security-policy']).not.toContain('form-action')
      expect(headers).not.toHaveProperty('x-frame-options')
    }
  })

  test('is no call of the service: nothing of it stands in the journal', async () => {
    const { page } = await ordered()
    const journal = async () => (await emulator.control('/requests?order=newest&limit=1')).text
    const before = await journal()
    await page.open()
    await page.choose({ outcome: 'completed' })
    await new PaymentPage(emulator, 'nothing').open()
    expect(await journal()).toBe(before)
  })

  test('is found below the path of a proxy: its addresses are relative', async () => {
    const { page } = await ordered()
    const addresses = ({ text }: { text: string }) =>
      [...text.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url]) => url)
    expect(addresses(await page.open())).toEqual([
      'assets/icon.svg',
      'assets/pages.css',
      'assets/payment.js',
      `${page.token}?waiting`,
    ])
    expect(addresses(await new PaymentPage(emulator, 'a/b/c').open())).toContain('/pay/assets/pages.css')
  })

  test('says 405 to a method that a page does not have', async () => {
    const { page } = await ordered()
    const { status, headers } = await page.open({}, 'DELETE')
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, POST'])
  })
})

test('the script is told when the order moves and when the clock jumps', async () => {
  const { page, client } = await ordered()
  const ask = async () => (await emulator.send(`/pay/${page.token}/state`, { method: 'GET' })).json
  const before = await ask()
  expect(before).toEqual({
    state: 'open',
    status: 'CREATED',
    now: await client.now(),
    speed: 0,
    pace: 'The clock of this test is stopped until a test moves it.',
    expiresAt: (await client.now()) + 15 * 60_000,
  })
  await client.advance('14m')
  expect(await ask()).toMatchObject({ state: 'open', now: Number(before.now) + 14 * 60_000 })
  await client.advance('1m')
  expect(await ask()).toMatchObject({ state: 'expired' })
})

test('a browser that reads ahead gets nothing that it could show later', async () => {
  const { page } = await ordered()
  expectStatus(await page.open({ purpose: 'prefetch' }), 503)
})

test('an orderId that a fixture gave has a page too', async () => {
  const order = { requestId: 'r1', orderId: 'order-of-march', kind: 'checkout' }
  await emulator.control('/fixtures', 'POST', { clients: [{ clientId: 'shop', orders: [order] }] })
  const { json } = await emulator.control('/orders/order-of-march')
  expectStatus(await new PaymentPage(emulator, json.token).open(), 200)
})

test('with orders.orderIdEqualsToken the page is found too', async () => {
  const { page } = await ordered({}, { settings: { orders: { orderIdEqualsToken: true } } })
  expectStatus(await page.open(), 200)
})
