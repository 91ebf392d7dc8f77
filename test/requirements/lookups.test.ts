import { describe, expect, test } from 'vitest'
import { paths } from '../support/client.ts'
import { startFixture } from '../support/emulator.ts'
import { expectInvalid, expectStatus, expectVerificationFailed } from '../support/expect.ts'
import { lookups } from '../support/operations.ts'

describe('1f: lookups', () => {
  test('R94: GET crypto-orders answers 200 and a list', async () => {
    const { c1 } = await startFixture()
    await c1.createCheckout('r1')
    const answer = await c1.lookUp('/v1/client/crypto-orders', { requestId: 'r1', clientId: 'C1' })
    expectStatus(answer, 200)
    expect(Object.keys(answer.json)).toEqual(['data'])
    expect(answer.record).toMatchObject({ requestId: 'r1', payersEmail: 'a@example.com' })
  })

  test('R95: GET orders answers 200 and a list', async () => {
    const { c1 } = await startFixture()
    await c1.createCheckout('r1')
    const answer = await c1.lookUp('/v1/client/orders', { requestId: 'r1', clientId: 'C1' })
    expectStatus(answer, 200)
    expect(Object.keys(answer.json)).toEqual(['data'])
    expect(answer.record).toMatchObject({ requestId: 'r1', userAddress: 'a@example.com' })
  })

  test('R96: GET fiat-refunds answers 200 and a list', async () => {
    const { c1 } = await startFixture()
    await c1.createCheckout('r1')
    const answer = await c1.lookUp('/v1/client/fiat-refunds', { requestId: 'r1', clientId: 'C1' })
    expectStatus(answer, 200)
    expect(answer.data).toEqual([])
  })

  test.each(lookups)('R97: the $name needs both query parameters', async ({ path }) => {
    const { c1 } = await startFixture()
    await c1.createCheckout('r1')
    expectInvalid(await c1.lookUp(path, { clientId: 'C1' }), 'requestId')
    expectInvalid(await c1.lookUp(path, { requestId: '', clientId: 'C1' }), 'requestId')
    expectInvalid(await c1.lookUp(path, { requestId: 'r1' }), 'clientId')
    expectInvalid(await c1.lookUp(path, { requestId: 'r1', clientId: '' }), 'clientId')
    const neither = await c1.lookUp(path, {})
    expectInvalid(neither, 'requestId')
    expectInvalid(neither, 'clientId')
    expectInvalid(await c1.lookUp(path, { request_id: 'r1', client_id: 'C1' }), 'requestId')
  })

  test.each(lookups)('R98: the $name needs no other header than access-token', async ({ path }) => {
    const { emulator } = await startFixture()
    const query = `${path}?requestId=r1&clientId=C1`
    expectStatus(await emulator.send(query, { method: 'GET', headers: { 'access-token': 'T1' } }), 200)
    expectStatus(await emulator.send(query, { method: 'GET', headers: { 'ACCESS-TOKEN': 'T1' } }), 200)
  })

  test.each(lookups)('R99: the $name of an unknown requestId is an empty list', async ({ call }) => {
    const { c1 } = await startFixture()
    await c1.createCheckout('r1')
    for (const requestId of ['r2', 'R1', 'r', 'r1%', '*', "r1' or '1'='1"]) {
      const { status, text } = await call(c1, requestId)
      expect({ status, text }).toEqual({ status: 200, text: '{"data":[]}' })
    }
  })

  test.each(lookups)("R100: the $name never shows another client's data", async ({ path, call }) => {
    const { c1, c2 } = await startFixture()
    await c1.createCheckout('r1')
    await c2.createCheckout('r1')
    expectVerificationFailed(await c1.lookUp(path, { requestId: 'r1', clientId: 'C2' }))
    expectVerificationFailed(await c1.lookUp(path, { requestId: 'r1', clientId: 'nobody' }))
    expectVerificationFailed(await c1.lookUp(path, { requestId: 'r1', clientId: 'c1' }))
    expectVerificationFailed(await call(c1, 'r1', { headers: { 'access-token': 'wrong' } }))
    expect((await call(c1, 'r1')).data.map(({ clientId }) => clientId)).toEqual(
      path === paths.refunds ? [] : ['C1'],
    )
  })

  test.each(lookups)('R4, R112: the $name finds a requestId of any characters', async ({ path, call }) => {
    const { c1 } = await startFixture()
    for (const requestId of ['zamówienie-✓', 'a b&c=d#e?f/g%20', '+1', 'a\u0000b', 'a']) {
      await c1.createCheckout(requestId)
      const found = (await call(c1, requestId)).data.map((record) => record.requestId)
      expect(found).toEqual(path === paths.refunds ? [] : [requestId])
    }
  })
})
