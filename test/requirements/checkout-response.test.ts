import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../support/answer.ts'
import { startFixture } from '../support/emulator.ts'

async function answerTo(changes: JsonObject = {}, fields: object = {}) {
  const { c1 } = await startFixture(fields)
  const answer = await c1.createCheckout(c1.checkout('r1', changes))
  return { ...answer.json, httpStatus: answer.status, offer: Object(answer.json.offerInfoData) }
}

describe('1c: answer of the checkout create call', () => {
  test('R49: the HTTP status is 200', async () => {
    expect(await answerTo()).toHaveProperty('httpStatus', 200)
  })

  test.each(['r1', 'zamówienie-✓', ' '])('R50: requestId %j is echoed', async (requestId) => {
    expect(await answerTo({ requestId })).toHaveProperty('requestId', requestId)
  })

  test('R51: token is a text', async () => {
    expect(await answerTo()).toHaveProperty('token', expect.any(String))
  })

  test.each(['happy', 'happy-instant', 'fail-9004'])(
    'R52: status is CREATED under the scenario %s',
    async (defaultScenario) => {
      expect(await answerTo({}, { defaultScenario })).toHaveProperty('status', 'CREATED')
    },
  )

  test('R53: offerInfoData has its seven members', async () => {
    const { offer } = await answerTo()
    for (const member of [
      'userAddress',
      'clientId',
      'selectedPaymentMethod',
      'totalFiatAmount',
      'expiryTs',
      'currencyId',
      'type',
    ]) {
      expect(offer).toHaveProperty(member, expect.any(String))
    }
  })

  test('R54: userAddress is the e-mail', async () => {
    expect((await answerTo({ email: 'Zoë+1@example.com' })).offer.userAddress).toBe('Zoë+1@example.com')
  })

  test('R55: clientId and currencyId are those of the request', async () => {
    expect((await answerTo({ currencyId: 'eur_de' })).offer).toMatchObject({
      clientId: 'C1',
      currencyId: 'eur_de',
    })
  })

  test('R56: selectedPaymentMethod is a text even if none was sent', async () => {
    expect((await answerTo()).offer.selectedPaymentMethod).toBeTypeOf('string')
    expect((await answerTo({ paymentMethodId: 'pix_br' })).offer.selectedPaymentMethod).toBe('pix_br')
  })

  test('R57: totalFiatAmount is the text that came', async () => {
    expect((await answerTo()).offer.totalFiatAmount).toBe('10.00')
  })

  test('R58: type is BUY', async () => {
    expect((await answerTo()).offer.type).toBe('BUY')
  })

  test.each([
    [{}, []],
    [{ mode: 'returnUrl' }, ['url']],
    [{ mode: 'returnAppUrl', targetApp: 'someBank' }, ['url']],
  ])('R59: an order with %j is answered with no other member than these', async (changes, urlField) => {
    const { c1 } = await startFixture()
    const { json, text } = await c1.createCheckout(c1.checkout('r1', changes))
    expect(new Set(Object.keys(json))).toEqual(
      new Set(['requestId', 'token', 'status', 'offerInfoData', ...urlField]),
    )
    const { orderId } = await c1.order('r1')
    for (const secret of ['sandbox-secret', 'T1"', 'whsec_', 'orderId', String(orderId)]) {
      expect(text).not.toContain(secret)
    }
  })
})
