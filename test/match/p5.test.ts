import { expect, test } from 'vitest'
import { emulatorUnder, hmac, Shop, startTime } from './support.ts'

const emulator = emulatorUnder('test/match/providers/p5.yaml')
const shop = () => Shop.at(emulator())

test('P5-01, P5-02 the URL, a line feed and the body are signed, by HMAC-SHA512 in base64url', async () => {
  const wrenfathom = await shop()
  const { headers, text } = await wrenfathom.told('happy', 'COMPLETED')
  const signature = hmac(`${wrenfathom.inbox.url}\n${text}`, wrenfathom.client.webhookSecret, {
    hash: 'sha512',
    as: 'base64url',
  })
  expect(headers['wrenfathom-signature']).toBe(`hs512=${signature}; keyid=wf-ed-3`)
})

test.each([
  ['never-pays', 'CREATED', 'order.open', 'open', 0],
  ['happy', 'COMPLETED', 'order.captured', 'captured', 5_000],
  ['fail-9004', 'FAILED', 'order.declined', 'declined', 4_000],
])(
  'P5-04, P5-05 %s: the event is an object with version, mode and minor units',
  async (scenario, status, type, state, after) => {
    const told = await (await shop()).told(scenario, status)
    expect(told.body).toEqual({
      object: 'event',
      id: told.webhookId,
      apiVersion: '2026-09-01',
      livemode: false,
      type,
      at: new Date(Date.parse(startTime) + after).toISOString(),
      data: {
        object: 'order',
        id: expect.stringMatching(/^ord_test_\w{12}$/),
        request_id: told.requestId,
        state,
        amount: { value: 1000, currency: 'eur' },
      },
    })
  },
)

test.todo('P5-06 an event shows the earlier values of what has changed')

test('P5-07 a refund is only announced', async () => {
  const wrenfathom = await shop()
  const { requestId } = await wrenfathom.create('refund-initiated')
  await wrenfathom.client.clock.advance('2m')
  const bodies = wrenfathom.inbox.webhooks.map(({ body }) => body)
  expect(bodies.at(-1)).toEqual({ id: expect.any(String) })
  const { data } = await wrenfathom.client.fiatRefunds(requestId)
  expect(data[0]?.refundId).toMatch(/^rf_test_\w{12}$/)
})

test.todo('P5-07 an event can be looked up by its id')

test('P5-09 409 is success, a redirect is a failure', async () => {
  expect(await (await shop()).delays({ status: 409 })).toEqual([])
  const redirect = { status: 302, headers: { location: 'https://shop.test/' } }
  expect((await (await shop()).delays(redirect)).length).toBeGreaterThan(0)
})

test('P5-08 the delays grow threefold up to six hours, without chance', async () => {
  const delays = await (await shop()).delays({ status: 500 }, '4d')
  const expected = Array.from({ length: 17 }, (_, n) => Math.min(20_000 * 3 ** n, 6 * 3_600_000))
  expect(delays).toEqual(expected)
  expect(delays.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(72 * 3_600_000)
})

test('P5-12 a scenario sends an event twice with the same id', async () => {
  const wrenfathom = await shop()
  await wrenfathom.told('webhook-duplicate', 'COMPLETED')
  const ids = wrenfathom.inbox.webhooks.map(({ body }) => Object(body))
  const captured = ids.filter(({ type }) => type === 'order.captured').map(({ id }) => id)
  expect(captured.length).toBeGreaterThan(1)
  expect(new Set(captured).size).toBe(1)
})

test('P5-14 the error names the first problem only', async () => {
  const wrenfathom = await shop()
  const refused = await wrenfathom.send({ fiatAmount: '10.001', email: 'a@example.com', lang: 'english' })
  expect(refused.json).toEqual({
    error: {
      type: 'invalid_request',
      code: 'amount_decimals',
      message: 'fiatAmount has more than two decimal places',
      param: 'fiatAmount',
      request_id: refused.headers.get('emulator-request-id'),
    },
  })
})

test.todo('P5-14 every answer has Wrenfathom-Request-Id')
