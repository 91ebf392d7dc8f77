import { describe, expect, test } from 'vitest'
import { startFixture } from '../support/emulator.ts'
import { expectInvalid, expectStatus, expectVerificationFailed } from '../support/expect.ts'

const unsigned = 'currencyId=usd_us&fiatAmount=1.00&requestId=r1&interval=MONTHLY'

describe('1d: creating a subscription', () => {
  test('R60: the smallest right body is accepted', async () => {
    const { c1 } = await startFixture()
    const answer = await c1.createSubscription({
      currencyId: 'usd_us',
      fiatAmount: '1.00',
      email: 'a@example.com',
      requestId: 'r1',
      clientId: 'C1',
      interval: 'MONTHLY',
    })
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ requestId: 'r1', status: 'CREATED' })
    expect((await c1.fiatOrders('r1')).record).toMatchObject({ requestId: 'r1', orderStatus: 'CREATED' })
  })

  test('R61: all eleven fields are accepted together', async () => {
    const { c1, emulator } = await startFixture()
    const body = c1.subscription('r1', {
      paymentMethodId: 'card',
      userId: '3f0c1f0e-8c1d-4a57-9a53-0d1d7a0f4c11',
      trialPeriodDays: '7',
      requestDescription: 'a newspaper',
      mode: 'returnUrl',
    })
    const answer = await c1.createSubscription(body)
    expectStatus(answer, 200)
    expect(Object.keys(body)).toHaveLength(11)
    const id = answer.headers['emulator-request-id']
    expect((await emulator.control(`/requests/${id}`)).json.notes).not.toContainEqual(
      expect.stringContaining('unknown field'),
    )
  })

  test.each([undefined, 1, '', null, 'monthly', 'FORTNIGHTLY'])(
    'R62: interval %j is refused',
    async (interval) => {
      const { c1, emulator } = await startFixture()
      expectInvalid(await c1.createSubscription(c1.subscription('r1', { interval })), 'interval')
      expect((await emulator.control('/orders')).items).toEqual([])
    },
  )

  test.each([7, 'seven', '-7', '7.5', ' 7', '7d', {}])('R63: trialPeriodDays %j is refused', async (days) => {
    const { c1, emulator } = await startFixture()
    const body = c1.subscription('r1', { trialPeriodDays: days })
    for (const signed of [`${unsigned}&trialPeriodDays=${days}`, unsigned]) {
      expectInvalid(await c1.createSubscription(body, { signed }), 'trialPeriodDays')
    }
    expect((await emulator.control('/orders')).items).toEqual([])
  })

  test.each([
    ['R63, R64', '7', `${unsigned}&trialPeriodDays=7`, true],
    ['R64', '7', unsigned, false],
    ['R64', '7', `${unsigned}&trialPeriodDays=07`, false],
    ['R64', '7', `trialPeriodDays=7&${unsigned}`, false],
    ['R65', '', unsigned, true],
    ['R65', '', `${unsigned}&trialPeriodDays=`, false],
    ['R65', undefined, unsigned, true],
    ['R65', undefined, `${unsigned}&trialPeriodDays=`, false],
    ['R65', undefined, `${unsigned}&trialPeriodDays=0`, false],
  ])(
    'R63, R64, R65: (%s) trialPeriodDays %j signed over %s: %s',
    async (_, trialPeriodDays, signed, accepted) => {
      const { c1 } = await startFixture()
      const answer = await c1.createSubscription(c1.subscription('r1', { trialPeriodDays }), { signed })
      if (accepted) expectStatus(answer, 200)
      else expectVerificationFailed(answer)
    },
  )

  test('R66: mode and requestDescription mean what they mean in a checkout', async () => {
    const catalog = [{ match: 'brl_*', requiredFields: ['requestDescription'] }]
    const { c1 } = await startFixture({ settings: { currencies: { catalog } } })
    const answer = await c1.createSubscription(c1.subscription('r1', { mode: 'returnUrl' }))
    expect(answer.json.url).toMatch(new RegExp(`^https?://[^/]+/pay/${answer.json.token}$`))

    expectInvalid(await c1.createSubscription(c1.subscription('r2', { mode: 'returnurl' })), 'mode')
    expectInvalid(await c1.createSubscription(c1.subscription('r2', { mode: 'returnAppUrl' })), 'targetApp')
    expectInvalid(
      await c1.createSubscription(c1.subscription('r2', { currencyId: 'brl_x' })),
      'requestDescription',
    )
  })

  test('R67: the signature is needed, Accept is not', async () => {
    const { c1, emulator } = await startFixture()
    expectVerificationFailed(await c1.createSubscription('r1', { headers: { signature: null } }))
    expectVerificationFailed(await c1.createSubscription('r1', { headers: { 'access-token': null } }))
    expect((await emulator.control('/orders')).items).toEqual([])
    expectStatus(await c1.createSubscription('r1', { headers: { accept: null } }), 200)
  })
})
