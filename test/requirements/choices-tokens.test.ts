import { describe, expect, test } from 'vitest'
import { paths } from '../support/client.ts'
import { startFixture } from '../support/emulator.ts'
import { expectStatus, expectVerificationFailed } from '../support/expect.ts'

describe('access tokens', () => {
  test('N64a: the emulator gives them out for clientId and apiSecret', async () => {
    const { c1, emulator } = await startFixture()
    const ask = (body: object) =>
      emulator.send('/_emulator/access-token', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
    const answer = await ask({ clientId: 'C1', apiSecret: 'sandbox-secret' })
    expect(answer.json).toEqual({ accessToken: expect.any(String), expiresIn: 1800 })
    const headers = { 'access-token': String(answer.json.accessToken) }
    expectStatus(await c1.createCheckout('r1', { headers }), 200)
    for (const wrong of [
      { clientId: 'C1', apiSecret: 'wrong' },
      { clientId: 'C2', apiSecret: 'sandbox-secret' },
      { clientId: 'nobody', apiSecret: '' },
    ]) {
      expectStatus(await ask(wrong), 401)
    }
    for (const incomplete of [{}, { clientId: 'C1' }, { clientId: 'C1', apiSecret: 1 }]) {
      expectStatus(await ask(incomplete), 400)
    }
  })

  test.each([
    ['foo=1', 400],
    ['clientId=C2', 400],
    ['clientId=C1', 200],
  ])('N64a: with the query %s the answer is %s', async (query, status) => {
    const { c1, emulator } = await startFixture()
    const answer = await emulator.send(`/_emulator/access-token?${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: { clientId: 'C1', apiSecret: c1.apiSecret },
    })
    expectStatus(answer, status)
  })

  test("N64a: also at the operator's own path, with its own names", async () => {
    const tokenRoute = {
      path: '/oauth/token',
      clientIdField: 'client_id',
      apiSecretField: 'client_secret',
      accessTokenField: 'access_token',
      expiresInField: 'expires_in',
    }
    const { c1, emulator } = await startFixture({}, { settings: { 'auth.tokenRoute': tokenRoute } })
    const headers = { 'content-type': 'application/json' }
    const ask = (client_secret: string) =>
      emulator.send('/oauth/token', { method: 'POST', headers, body: { client_id: 'C1', client_secret } })
    const { json } = await ask('sandbox-secret')
    expect(json).toEqual({ access_token: expect.any(String), expires_in: 1800 })
    expectStatus(
      await c1.createCheckout('r1', { headers: { 'access-token': String(json.access_token) } }),
      200,
    )
    expectVerificationFailed(await ask('wrong'))
  })

  test('N64b: they live as long as set; an older one stays valid beside a newer', async () => {
    const { c1 } = await startFixture({ settings: { auth: { tokenLifetime: '10s' } } })
    const look = (token: string) =>
      c1.lookUp(paths.fiat, { requestId: 'r1', clientId: 'C1' }, { headers: { 'access-token': token } })
    const older = await c1.issueToken()
    await c1.advance('6s')
    const newer = await c1.issueToken()
    expect(newer).not.toBe(older)
    for (const token of [older, newer]) expectStatus(await look(token), 200)
    await c1.advance('4s')
    expectVerificationFailed(await look(older))
    expectStatus(await look(newer), 200)
    await c1.advance('6s')
    expectVerificationFailed(await look(newer))
    expectStatus(await look('T1'), 200)
  })

  test('N64c: a single record is a list of one, as long as nothing recurs', async () => {
    const { c1 } = await startFixture()
    await c1.createSubscription('r1')
    await c1.advance('1h')
    expect((await c1.fiatOrders('r1')).data).toHaveLength(1)
  })
})
