import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { startEmulator } from '../../src/index.ts'
import { openInboxAt } from '../testing/support/inbox.ts'
import { sharedEmulator } from '../testing/support/shared-emulator.ts'
import { hmac, jwtIn, Shop } from './support.ts'

const emulator = sharedEmulator(async (options, atEnd) => {
  const started = await startEmulator({ ...options, listen: false, settings })
  atEnd?.(() => started.close())
  return started
})

const key = 'a key of its own'
const settings = {
  'webhook.format': 'template',
  'webhook.template': { requestId: '${requestId}', note: '${userMessage}', proof: 'jwt ${jwt}' },
  'webhook.headers': { authorization: 'Bearer ${jwt}' },
  'webhook.jwt': { claims: { sub: '${requestId}', note: '${userMessage}' }, key },
}

/** The tokens of the webhook about a new order. */
async function tokens(scenario: string, own: Record<string, unknown> = {}, userMessage = 'Hi') {
  const { client, inbox } = await openInboxAt(emulator(), { settings: own }, { acceptUnverified: true })
  const { requestId } = await client.createCheckoutOrder({ userMessage }, { scenario })
  await client.clock.settle()
  const { body, headers } = await inbox.next({ requestId }, { signature: 'any' })
  const { proof, note } = Object(body)
  return { requestId, note, inBody: String(proof).slice(4), header: headers.authorization }
}

const isGenuine = (token: string) => {
  const { signed, signature } = jwtIn(token)
  return signature === hmac(signed, key, { as: 'base64url' })
}

test('a token can be a part of a text, in the body and in headers', async () => {
  const { requestId, inBody, header } = await tokens('never-pays')
  expect(header).toBe(`Bearer ${inBody}`)
  expect(jwtIn(inBody).claims).toEqual({ sub: requestId, note: 'Hi' })
  expect(isGenuine(inBody)).toBe(true)
})

test('a forged webhook has forged tokens, and an unsigned one has none in its headers', async () => {
  await emulator().scenarios.put('forged', scenario('forged', { sign: 'wrong' }))
  const forged = await tokens('forged')
  expect([isGenuine(forged.inBody), isGenuine(String(forged.header).slice(7))]).toEqual([false, false])
  await emulator().scenarios.put('unsigned', scenario('unsigned', { sign: false }))
  expect((await tokens('unsigned')).header).toBe(undefined)
})

test('a value of the caller that looks like the mark of a token stays as it is', async () => {
  const mark = '\u{E002}msg_1|e30\u{E003}'
  const { note, inBody } = await tokens('never-pays', {}, mark)
  expect(note).toBe(mark)
  expect(jwtIn(inBody).claims).toMatchObject({ note: mark })
})

test('a private RSA key signs with RS256', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const { inBody } = await tokens('never-pays', {
    'webhook.jwt': { claims: { a: 1 }, algorithm: 'RS256', key: pem },
  })
  const { head, signed, signature } = jwtIn(inBody)
  expect(head).toEqual({ alg: 'RS256', typ: 'JWT' })
  const bytes = Buffer.from(signature, 'base64url')
  expect(
    verify(
      'sha256',
      Buffer.from(signed),
      createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
      bytes,
    ),
  ).toBe(true)
})

test('a webhook that is simulated has a token too', async () => {
  const shop = await Shop.at(emulator())
  await shop.client.simulateWebhook({ requestId: 'r1' })
  await shop.client.clock.settle()
  const { headers } = await shop.inbox.next({ requestId: 'r1' })
  expect(jwtIn(String(headers.authorization).slice(7)).claims).toEqual({ sub: 'r1' })
})

test('the example of the settings shows a token, and no mark of one', async () => {
  const shop = await Shop.at(emulator())
  const answer: unknown = await shop.client.control('GET', '/choices')
  expect(JSON.stringify(answer)).toContain('jwt eyJ')
  expect(JSON.stringify(answer)).not.toMatch(/[\u{E000}-\u{E003}]/u)
})

test('the control API shows tokens, and no mark of one', async () => {
  const shop = await Shop.at(emulator())
  const { requestId } = await shop.create('never-pays')
  await shop.client.clock.settle()
  const deliveries = await shop.client.deliveries.list({ requestId })
  expect(JSON.stringify(deliveries)).toContain('jwt eyJ')
  expect(JSON.stringify(deliveries)).not.toMatch(/[\u{E000}-\u{E003}]/u)
})

const scenario = (id: string, rule: object) => ({
  id,
  description: 'For a test',
  timeline: [{ at: '1h', pay: 'completed' }],
  webhooks: [rule],
})
