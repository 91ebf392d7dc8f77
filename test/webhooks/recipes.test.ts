import { createHash, createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { ClientFields, TestClient } from '../support/client.ts'
import { startFixture, startTestEmulator } from '../support/emulator.ts'
import { type Received, startReceiver } from '../support/receiver.ts'
import { under } from '../support/under.ts'

type Recipe = Readonly<Record<string, unknown>>

const stripe = {
  header: 'X-Pay-Signature',
  format: 't=${timestamp},v1=${signature}',
  signed: '${timestamp}.${body}',
}

const aboutR1 = { requestId: 'r1', orderId: 'o1', orderStatus: 'COMPLETED', orderType: 'CHECKOUT' }

/** A client whose webhooks are signed by a recipe, and a way to send them by hand. */
async function signedBy(recipe: Recipe, fields: ClientFields = {}) {
  const receiver = await startReceiver()
  const settings = { 'webhook.signature': recipe, ...fields.settings }
  const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url, ...fields, settings })
  const send = async (delivery: object = {}): Promise<Received> => {
    await emulator.control('/deliveries', 'POST', { clientId: 'C1', event: aboutR1, ...delivery })
    const last = receiver.requests.at(-1)
    if (last === undefined) throw new Error('no webhook came')
    return last
  }
  return { emulator, c1, receiver, send }
}

// Computed here, so that the emulator cannot prove itself right.
const hmac = (text: string, key: string | Buffer, algorithm = 'sha256') =>
  createHmac(algorithm, key).update(text)
const header = ({ headers }: Received, name: string) => String(headers[name])
const keyOf = ({ webhookSecret }: TestClient) => Buffer.from(webhookSecret.replace('whsec_', ''), 'base64')

describe('a webhook signed by a recipe', () => {
  test('has time and signature in one header', async () => {
    const { c1, send } = await signedBy(stripe)
    const webhook = await send()
    const [, time = '', signature] =
      /^t=(\d+),v1=([\da-f]{64})$/.exec(header(webhook, 'x-pay-signature')) ?? []
    expect(Math.abs(Number(time) - Date.now() / 1_000)).toBeLessThan(60)
    expect(signature).toBe(hmac(`${time}.${webhook.text}`, c1.webhookSecret).digest('hex'))
    expect(Object.keys(webhook.headers).filter((name) => /webhook-|^signature/.test(name))).toEqual([])
  })

  test.each([
    ['sha1', 'SHA-1'],
    ['sha384', 'HS384'],
    ['sha512', 'HMAC-SHA512'],
    ['sha256', 'hmac_sha256'],
  ])('is hashed with %s, which may be written %s', async (name, written) => {
    const recipe = { header: 'x-sign', algorithm: written, secret: 'api-secret', encoding: 'base64' }
    const { c1, send } = await signedBy(recipe)
    const webhook = await send()
    expect(header(webhook, 'x-sign')).toBe(hmac(webhook.text, c1.apiSecret, name).digest('base64'))
  })

  test('has headers of its own, with id, ISO time, key id and hash of the body', async () => {
    const { c1, send } = await signedBy({
      header: 'Authorization',
      format: 'HMAC keyId="${keyId}", signature="${signature}"',
      signed: '${id}|${timestamp}|${bodyHash}',
      encoding: 'base64url',
      secretAs: 'base64',
      timestamp: 'iso',
      headers: { 'X-Event': '${id}', 'X-Time': '${timestamp}', 'X-Merchant': 'shop ${clientId}' },
      keyId: 'key-1',
    })
    const webhook = await send()
    const [id, time] = [header(webhook, 'x-event'), header(webhook, 'x-time')]
    const bodyHash = createHash('sha256').update(webhook.text).digest('hex')
    const signature = hmac(`${id}|${time}|${bodyHash}`, keyOf(c1)).digest('base64url')
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(header(webhook, 'x-merchant')).toBe('shop C1')
    expect(header(webhook, 'authorization')).toBe(`HMAC keyId="key-1", signature="${signature}"`)
  })

  test('writes milliseconds of the client’s clock where its time is signed', async () => {
    const { c1, send } = await signedBy(
      { ...stripe, timestamp: 'milliseconds' },
      { settings: { 'webhook.signTime': 'virtual' } },
    )
    expect(header(await send(), 'x-pay-signature')).toContain(`t=${await c1.now()},`)
  })

  test('reads a secret in hex', async () => {
    const { c1, send } = await signedBy(
      { ...stripe, secretAs: 'hex' },
      { webhookSecret: 'whsec_00112233445566778899aabb' },
    )
    const webhook = await send()
    const [, time, signature] = /^t=(\d+),v1=(.*)$/.exec(header(webhook, 'x-pay-signature')) ?? []
    const key = Buffer.from(c1.webhookSecret.slice(6), 'hex')
    expect(signature).toBe(hmac(`${time}.${webhook.text}`, key).digest('hex'))
  })
})

describe('faults of a webhook signed by a recipe', () => {
  const signaturesOf = (webhook: Received) =>
    [...header(webhook, 'x-pay-signature').matchAll(/(v\d)=([\da-f]+)/g)].map(([, version, signature]) => ({
      version,
      signature,
    }))
  const right = (webhook: Received, key: string) => {
    const time = /t=(\d+)/.exec(header(webhook, 'x-pay-signature'))?.[1]
    return hmac(`${time}.${webhook.text}`, key).digest('hex')
  }

  test('sign it with another key, or not at all', async () => {
    const { c1, send } = await signedBy(stripe)
    const forged = await send({ sign: 'wrong' })
    expect(signaturesOf(forged)).toHaveLength(1)
    expect(signaturesOf(forged)[0]?.signature).not.toBe(right(forged, c1.webhookSecret))
    expect((await send({ sign: false })).headers).not.toHaveProperty('x-pay-signature')
  })

  test('shift its time, and the signature stays valid', async () => {
    const { c1, send } = await signedBy(stripe)
    const old = await send({ timestamp: '-10m' })
    const time = Number(/t=(\d+)/.exec(header(old, 'x-pay-signature'))?.[1])
    expect(Math.abs(Date.now() / 1_000 - 600 - time)).toBeLessThan(60)
    expect(signaturesOf(old)[0]?.signature).toBe(right(old, c1.webhookSecret))
  })

  test('list its signatures under versions', async () => {
    const { c1, send } = await signedBy(stripe)
    const listed = { signatures: ['foreign', 'current'], signatureVersions: ['v9', 'v1'] }
    const [foreign, current, ...more] = signaturesOf(await send(listed))
    const webhook = await send(listed)
    expect([foreign?.version, current?.version, more]).toEqual(['v9', 'v1', []])
    expect(signaturesOf(webhook)[1]?.signature).toBe(right(webhook, c1.webhookSecret))
  })

  test.each([[{ rotation: 'new-only' }], [{ secret: 'api-secret' }]])(
    'list no signatures for a recipe with %j, which has one',
    async (part) => {
      const { emulator } = await signedBy({ ...stripe, ...part })
      const { status, json } = await emulator.send('/_emulator/deliveries', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: { clientId: 'C1', event: aboutR1, signatures: ['current'] },
      })
      expect(status).toBe(400)
      expect(json.error).toMatchObject({ message: expect.stringMatching(/C1 has webhook\.signature/) })
    },
  )

  test.each([
    ['both', 2],
    ['new-only', 1],
  ])('a rotation with %s sends %i signatures until the overlap is over', async (rotation, count) => {
    const { c1, emulator, send } = await signedBy({ ...stripe, rotation })
    const before = c1.webhookSecret
    const { json } = await emulator.control('/clients/C1/rotate-webhook-secret', 'POST', { overlap: '1h' })
    const webhook = await send()
    const expected = [String(json.webhookSecret), before].slice(0, count)
    expect(signaturesOf(webhook).map(({ signature }) => signature)).toEqual(
      expected.map((secret) => right(webhook, secret)),
    )
    await c1.advance('1h')
    expect(signaturesOf(await send())).toHaveLength(1)
  })
})

describe('which recipe applies', () => {
  const firstUnder = async (settings: string, clients: object) => {
    const receiver = await startReceiver()
    const { c1 } = await under(`timeline: []\nsettings:\n  ${settings}\n`, {
      webhookUrl: receiver.url,
      settings: clients,
    })
    await c1.createCheckout('r1')
    await c1.settle()
    return receiver.requests[0]?.headers ?? {}
  }

  test("a scenario's `webhook.auth: none` overrides the client's recipe", async () => {
    const headers = await firstUnder('webhook.auth: none', { 'webhook.signature': stripe })
    expect(Object.keys(headers).filter((name) => /signature/.test(name))).toEqual([])
  })

  test("a scenario's recipe overrides the client's", async () => {
    const headers = await firstUnder('webhook.signature: { header: x-other }', {
      'webhook.signature': stripe,
    })
    expect(headers).toHaveProperty('x-other')
    expect(headers).not.toHaveProperty('x-pay-signature')
  })

  test('a recipe of the client overrides the `webhook.auth` of all clients, and the other way round', async () => {
    const receiver = await startReceiver()
    const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url })
    const names = async (patch: object, path = '/settings') => {
      await emulator.control(path, 'PATCH', patch)
      await emulator.control('/deliveries', 'POST', { clientId: 'C1', event: aboutR1 })
      return Object.keys(receiver.requests.at(-1)?.headers ?? {}).filter((name) => /signature/.test(name))
    }
    expect(await names({ 'webhook.auth': 'hmac-body' })).toEqual(['signature'])
    const own = `/settings?clientId=${c1.clientId}`
    expect(await names({ 'webhook.signature': stripe }, own)).toEqual(['x-pay-signature'])
    expect(await names({ 'webhook.auth': 'standard' }, own)).toEqual(['webhook-signature'])
    const { json } = await emulator.control(own)
    expect(json.settings).toEqual({ 'webhook.auth': 'standard' })
    expect(await names({ 'webhook.auth': null }, own)).toEqual(['signature'])
    expect(await names({ 'webhook.signature': stripe })).toEqual(['x-pay-signature'])
  })
})

describe('a webhook secret in the form of a provider', () => {
  const asText = { 'webhook.signature': { header: 'X-Sig' }, 'webhook.on': ['CREATED'] }

  test('is any text that the settings read as a key', async () => {
    const receiver = await startReceiver()
    const webhookSecret = 'nv-secret/2026+text'
    const { c1 } = await startFixture({ webhookUrl: receiver.url, webhookSecret, settings: asText })
    await c1.createCheckout('r1')
    const [{ headers, text } = { headers: {}, text: '' }] = await receiver.received(1)
    expect(Object(headers)['x-sig']).toBe(createHmac('sha256', webhookSecret).update(text).digest('hex'))
  })

  test('is refused where Standard Webhooks reads it: by a client, and by a change of the settings', async () => {
    const words = /must be `whsec_` followed by base64/
    await expect(startFixture({ webhookSecret: 'text' })).rejects.toThrow(words)
    const { emulator } = await startFixture({ webhookSecret: 'text', settings: asText })
    const change = (path: string, body: object) => emulator.control(path, 'PATCH', body)
    await expect(change('/settings?clientId=C1', { 'webhook.signature': null })).rejects.toThrow(words)
    await expect(change('/clients/C2', { webhookSecret: 'text' })).rejects.toThrow(
      /webhookSecret: must be `whsec_`/,
    )
  })

  test('is refused at a start, unless its settings read it', async () => {
    const start = (settings: object) => startTestEmulator({ webhookSecret: 'hush', settings })
    await expect(start({})).rejects.toThrow(/webhookSecret: must be `whsec_`(?!.*hush)/)
    const emulator = await start(asText)
    expect((await emulator.control('/clients/demo-client')).json).toMatchObject({ webhookSecret: 'hush' })
  })

  test('is refused in a fixture with its place, unless the settings there read it', async () => {
    const { emulator } = await startFixture()
    const load = (settings: object) =>
      emulator.control('/fixtures', 'POST', {
        clients: [{ clientId: 'C9', webhookSecret: 'text', settings }],
      })
    await expect(load({})).rejects.toThrow(/body:1:\d+: `webhookSecret` must be `whsec_`/)
    expect((await load(asText)).status).toBeLessThan(300)
  })
})
