import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Answer } from '../support/answer.ts'
import { paths, type TestClient } from '../support/client.ts'
import { startFixture, startTestEmulator, type TestEmulator } from '../support/emulator.ts'
import { expectStatus, expectVerificationFailed } from '../support/expect.ts'
import { aFolder } from '../support/folder.ts'

const byScenario = { settings: { 'auth.tokenExpiry': 'by-scenario' } }

const look = (client: TestClient, token: string = client.accessToken): Promise<Answer> =>
  client.lookUp(
    paths.fiat,
    { requestId: 'r1', clientId: client.clientId },
    { headers: { 'access-token': token } },
  )

const expire = (emulator: TestEmulator, body?: object) =>
  emulator.control('/clients/C1/expire-tokens', 'POST', body)

/** Expects the answer to a token whose lifetime is over. */
async function expectExpired(answer: Answer, client: TestClient): Promise<void> {
  expectVerificationFailed(answer)
  expect(await client.journalOf(answer)).toMatchObject({ diagnosis: { cause: 'token.expired' } })
}

describe('POST /clients/{clientId}/expire-tokens', () => {
  test('answers the client, and refuses its issued tokens like those whose lifetime is over', async () => {
    const { c1, emulator } = await startFixture()
    const tokens = [await c1.issueToken(), await c1.issueToken()]
    const { status, json } = await expire(emulator)
    expect(status).toBe(200)
    expect(json).toEqual((await emulator.control('/clients/C1')).json)
    for (const token of tokens) await expectExpired(await look(c1, token), c1)
    const outlived = await c1.issueToken()
    const expired = await look(c1, tokens[0])
    await c1.advance('31m')
    expect((await look(c1, outlived)).text).toBe(expired.text)
  })

  test.each([{}, byScenario])('with %j, tokens issued afterwards live their usual time', async (fields) => {
    const { c1, emulator } = await startFixture(fields)
    const before = await c1.issueToken()
    expectStatus(await look(c1, before), 200)
    await expire(emulator)
    await expectExpired(await look(c1, before), c1)
    const after = await c1.issueToken()
    expectStatus(await look(c1, after), 200)
    await c1.advance('29m')
    expectStatus(await look(c1, after), 200)
    await expectExpired(await look(c1, before), c1)
    await expire(emulator)
    await expectExpired(await look(c1, after), c1)
  })

  test('leaves the own token valid, unless it is named', async () => {
    const { c1, emulator } = await startFixture()
    for (const body of [undefined, {}, { own: false }]) {
      await expire(emulator, body)
      expectStatus(await look(c1), 200)
    }
    await expire(emulator, { own: true })
    const answer = await look(c1)
    await expectExpired(answer, c1)
    const { diagnosis } = await c1.journalOf(answer)
    expect(Object(diagnosis).message).toContain('has expired because of a scenario or of the call')
    await expire(emulator, { own: false })
    await expectExpired(await look(c1), c1)
  })

  test.each([{}, byScenario])('with %j, the own token is valid again once it is set', async (fields) => {
    const { c1, emulator } = await startFixture(fields)
    const issued = await c1.issueToken()
    await expire(emulator, { own: true })
    await emulator.control('/clients/C1', 'PATCH', { defaultScenario: 'happy' })
    await expectExpired(await look(c1), c1)
    await emulator.control('/clients/C1', 'PATCH', { accessToken: c1.accessToken })
    expectStatus(await look(c1), 200)
    await expectExpired(await look(c1, issued), c1)
  })

  test('is met by calls that create orders too, and stores none', async () => {
    const { c1, emulator } = await startFixture()
    await expire(emulator, { own: true })
    await expectExpired(await c1.createCheckout('r1'), c1)
    expect((await emulator.control('/orders')).items).toEqual([])
  })

  test('another client notices nothing', async () => {
    const { c1, c2, emulator } = await startFixture()
    const [mine, theirs] = [await c1.issueToken(), await c2.issueToken()]
    await expire(emulator, { own: true })
    await expectExpired(await look(c1, mine), c1)
    for (const token of [c2.accessToken, theirs]) expectStatus(await look(c2, token), 200)
  })

  test.each([
    [{ own: 'yes' }, /own/],
    [{ own: null }, /own/],
    [{ owns: true }, /owns/],
  ])('is refused with %j, and expires nothing', async (body, words) => {
    const { c1, emulator } = await startFixture()
    const issued = await c1.issueToken()
    const { status, json } = await emulator.send('/_emulator/clients/C1/expire-tokens', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect([status, Object(json.error).message]).toEqual([400, expect.stringMatching(words)])
    for (const token of [issued, c1.accessToken]) expectStatus(await look(c1, token), 200)
  })

  test('of an unknown client, or of one that the query does not name, is 404', async () => {
    const { c1, emulator } = await startFixture()
    const issued = await c1.issueToken()
    for (const path of ['/nobody/expire-tokens', '/C1/expire-tokens?clientId=C2']) {
      const { status, json } = await emulator.send(`/_emulator/clients${path}`, {
        method: 'POST',
        headers: {},
      })
      expect([status, Object(json.error).code]).toEqual([404, 'client_unknown'])
    }
    expectStatus(await look(c1, issued), 200)
  })

  test('holds after a restart and in a snapshot, and a reset ends it', async () => {
    const database = join(aFolder(), 'emulator.db')
    const first = await startTestEmulator({ database })
    const c1 = await first.addClient({ clientId: 'C1' })
    const before = await c1.issueToken()
    await expire(first, { own: true })
    const answer = await first.control('/clients/C1')
    await first.close()

    const second = await startTestEmulator({ database })
    expect((await second.control('/clients/C1')).json).toMatchObject({ accessToken: answer.json.accessToken })
    const lookAt = (emulator: TestEmulator, token: string) =>
      emulator.send(`${paths.fiat}?requestId=r1&clientId=C1`, {
        method: 'GET',
        headers: { 'access-token': token },
      })
    for (const token of [before, c1.accessToken]) expectVerificationFailed(await lookAt(second, token))
    const { json: snapshot } = await second.control('/snapshot')
    const third = await startTestEmulator()
    await third.control('/snapshot', 'PUT', snapshot)
    for (const token of [before, c1.accessToken]) expectVerificationFailed(await lookAt(third, token))
    await third.control('/reset?clientId=C1', 'POST', {})
    expectStatus(await lookAt(third, c1.accessToken), 200)
    expectVerificationFailed(await lookAt(third, before))
  })
})
