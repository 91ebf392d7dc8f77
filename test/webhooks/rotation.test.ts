import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ClientFields } from '../support/client.ts'
import { startFixture, startTestEmulator } from '../support/emulator.ts'
import { aFolder } from '../support/folder.ts'
import { type Received, startReceiver } from '../support/receiver.ts'

const oldSecret = `whsec_${Buffer.from('the old secret').toString('base64')}`
const newSecret = `whsec_${Buffer.from('the new secret').toString('base64')}`
const newestSecret = `whsec_${Buffer.from('the newest secret').toString('base64')}`
const names = { [oldSecret]: 'old', [newSecret]: 'new', [newestSecret]: 'newest' }

async function given(fields: ClientFields = {}) {
  const receiver = await startReceiver()
  const { emulator, c1 } = await startFixture({
    ...{ webhookUrl: receiver.url, webhookSecret: oldSecret },
    ...fields,
    settings: { 'webhook.on': ['CREATED'], ...fields.settings },
  })
  let orders = 0
  /** The secrets with which the next webhook is signed, in the order of its header. */
  const signedBy = async () => {
    await c1.createCheckout(`r${++orders}`)
    await c1.settle()
    return secretsOf(receiver.requests.at(-1))
  }
  const rotate = async (rotation: object = {}) =>
    (await emulator.control('/clients/C1/rotate-webhook-secret', 'POST', rotation)).json
  return { emulator, c1, receiver, rotate, signedBy }
}

/** The names of the secrets that made the signatures of a webhook. */
function secretsOf(webhook: Received | undefined): string[] {
  if (webhook === undefined) throw new Error('no webhook came')
  const { headers, text } = webhook
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
  const made = (secret: string) =>
    `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(content)
      .digest('base64')}`
  return String(headers['webhook-signature'])
    .split(' ')
    .map((each) => Object.entries(names).find(([secret]) => made(secret) === each)?.[1] ?? each)
}

describe('N70: a rotated webhook secret', () => {
  test('signs with both secrets, the new one first, until the overlap has passed on the client’s clock', async () => {
    const { c1, rotate, signedBy } = await given()
    expect(await signedBy()).toEqual(['old'])
    const now = await c1.now()
    expect(await rotate({ webhookSecret: newSecret })).toMatchObject({
      webhookSecret: newSecret,
      previousWebhookSecret: { secret: oldSecret, validUntil: now + 24 * 3_600_000 },
    })
    expect(await signedBy()).toEqual(['new', 'old'])
    await c1.advance('23h')
    expect(await signedBy()).toEqual(['new', 'old'])
    await c1.advance('1h')
    expect(await signedBy()).toEqual(['new'])
  })

  test('is accepted by the stock verifier with either secret', async () => {
    const { c1, emulator, receiver, rotate, signedBy } = await given()
    const { webhookSecret } = await rotate()
    await signedBy()
    const [webhook] = receiver.requests
    expect(c1.verifyWebhook(webhook), 'with the old one').toMatchObject({ requestId: 'r1' })
    const { TestClient } = await import('../support/client.ts')
    const updated = new TestClient(emulator, { ...c1, webhookSecret: String(webhookSecret) })
    expect(updated.verifyWebhook(webhook), 'with the new one').toMatchObject({ requestId: 'r1' })
  })

  test('signs a retry by the time of the attempt, not of the event', async () => {
    const { c1, receiver, rotate } = await given({
      settings: { 'webhook.retry.base': '1h', 'webhook.retry.cap': '1h' },
    })
    receiver.answerWith({ status: 500 }, {})
    await rotate({ webhookSecret: newSecret, overlap: '30m' })
    await c1.createCheckout('r1')
    await c1.advance('1h')
    expect(receiver.requests.map(secretsOf)).toEqual([['new', 'old'], ['new']])
  })

  test.each([
    ['the overlap of the call', { overlap: '10m' }, {}],
    ['the setting', {}, { 'webhook.rotation.overlap': '10m' }],
    ['the call before the setting', { overlap: '10m' }, { 'webhook.rotation.overlap': '1s' }],
  ])('takes %s', async (_, rotation, settings) => {
    const { c1, rotate, signedBy } = await given({ settings })
    await rotate({ webhookSecret: newSecret, ...rotation })
    await c1.advance('599s')
    expect(await signedBy()).toEqual(['new', 'old'])
    await c1.advance('1s')
    expect(await signedBy()).toEqual(['new'])
  })

  test('with an overlap of 0s takes over at once', async () => {
    const { rotate, signedBy } = await given()
    await rotate({ webhookSecret: newSecret, overlap: '0s' })
    expect(await signedBy()).toEqual(['new'])
  })

  test('is made up if none is given, and works as a secret', async () => {
    const { rotate, emulator } = await given()
    const { webhookSecret } = await rotate()
    expect(webhookSecret).toMatch(/^whsec_[\w+/]{32}$/)
    expect((await emulator.control('/clients/C1')).json).toMatchObject({ webhookSecret })
  })

  test('rotated twice within the overlap leaves the newest and the one before', async () => {
    const { c1, rotate, signedBy } = await given()
    await rotate({ webhookSecret: newSecret })
    await c1.advance('1h')
    await rotate({ webhookSecret: newestSecret, overlap: '2h' })
    expect(await signedBy()).toEqual(['newest', 'new'])
    await c1.advance('2h')
    expect(await signedBy(), 'the first overlap, longer as it was, is over too').toEqual(['newest'])
  })

  test.each([
    [{ webhookSecret: 'secret' }, /webhookSecret: must be `whsec_` followed by base64/],
    [{ webhookSecret: oldSecret }, /webhookSecret: is the present one/],
    [{ overlap: '366d' }, /overlap: must be at most 365d/],
    [{ overlap: 'soon' }, /overlap/],
    [{ secret: newSecret }, /secret/],
  ])('is refused with %j, and nothing changes', async (rotation, words) => {
    const { emulator, signedBy } = await given()
    const { status, json } = await emulator.send('/_emulator/clients/C1/rotate-webhook-secret', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: rotation,
    })
    expect([status, Object(json.error).message]).toEqual([400, expect.stringMatching(words)])
    expect(await signedBy()).toEqual(['old'])
  })

  test('of an unknown client is 404; the call needs no body', async () => {
    const { emulator } = await given()
    const call = (clientId: string) =>
      emulator.send(`/_emulator/clients/${clientId}/rotate-webhook-secret`, { method: 'POST', headers: {} })
    expect((await call('nobody')).status).toBe(404)
    expect((await call('C1')).status).toBe(200)
  })

  test('that is set by PATCH instead takes effect at once, and ends a rotation', async () => {
    const { c1, emulator, rotate, signedBy } = await given()
    await rotate({ webhookSecret: newSecret })
    await c1.change({ webhookSecret: newSecret })
    expect(await signedBy(), 'the same secret changes nothing').toEqual(['new', 'old'])
    await c1.change({ webhookSecret: newestSecret })
    expect(await signedBy()).toEqual(['newest'])
    expect((await emulator.control('/clients/C1')).json).not.toHaveProperty('previousWebhookSecret')
  })

  test('changes nothing of a webhook that is signed with the API secret, or not at all', async () => {
    const { c1, rotate, receiver } = await given({ settings: { 'webhook.auth': 'hmac-body' } })
    await rotate({ webhookSecret: newSecret })
    await c1.createCheckout('r1')
    await c1.settle()
    const [webhook] = receiver.requests
    expect(webhook?.headers.signature).toBe(c1.sign(String(webhook?.text)))
    expect(webhook?.headers).not.toHaveProperty('webhook-signature')
  })

  test('goes on after a restart, and in a snapshot', async () => {
    const database = join(aFolder(), 'emulator.db')
    const first = await startTestEmulator({ database })
    await first.addClient({ clientId: 'C1', webhookSecret: oldSecret })
    await first.control('/clients/C1/rotate-webhook-secret', 'POST', { webhookSecret: newSecret })
    await first.close()
    const second = await startTestEmulator({ database })
    const previousWebhookSecret = { secret: oldSecret, validUntil: expect.any(Number) }
    expect((await second.control('/clients/C1')).json).toMatchObject({
      webhookSecret: newSecret,
      previousWebhookSecret,
    })
    const { json: snapshot } = await second.control('/snapshot')
    const third = await startTestEmulator()
    await third.control('/snapshot', 'PUT', snapshot)
    expect((await third.control('/clients/C1')).json).toMatchObject({ previousWebhookSecret })
  })

  test('stays through a reset of the client, like its other credentials', async () => {
    const { emulator, rotate, signedBy } = await given()
    await rotate({ webhookSecret: newSecret })
    await emulator.control('/reset?clientId=C1', 'POST', {})
    expect(await signedBy()).toEqual(['new', 'old'])
  })

  test('hides the secret before it in the request log', async () => {
    const { c1, emulator, rotate } = await given()
    await rotate({ webhookSecret: newSecret })
    const body = c1.checkout('r1', { email: `${oldSecret.slice(6)}@example.com` })
    await c1.createCheckout(body)
    expect((await emulator.control('/requests')).text).not.toContain(oldSecret.slice(6))
  })
})

describe('a list of signatures', () => {
  const event = { requestId: 'r1', orderId: 'o1', orderStatus: 'COMPLETED', orderType: 'CHECKOUT' }

  test('can have the previous secret alone, also when its overlap has passed', async () => {
    const { c1, emulator, receiver, rotate } = await given()
    await rotate({ webhookSecret: newSecret })
    await c1.advance('25h')
    await emulator.control('/deliveries', 'POST', { clientId: 'C1', event, signatures: ['previous'] })
    expect(secretsOf(receiver.requests.at(-1))).toEqual(['old'])
  })

  test('can turn the order of a rotation round, or leave the old secret out', async () => {
    const { emulator, receiver, rotate } = await given()
    await rotate({ webhookSecret: newSecret })
    for (const signatures of [['previous', 'current'], ['current']])
      await emulator.control('/deliveries', 'POST', { clientId: 'C1', event, signatures })
    expect(receiver.requests.map(secretsOf)).toEqual([['old', 'new'], ['new']])
  })

  test('is not needed for a wrong signature: that is wrong with each secret', async () => {
    const { emulator, receiver, rotate } = await given()
    await rotate({ webhookSecret: newSecret })
    await emulator.control('/deliveries', 'POST', { clientId: 'C1', event, sign: 'wrong' })
    expect(secretsOf(receiver.requests[0])).toEqual([
      expect.stringMatching(/^v1,/),
      expect.stringMatching(/^v1,/),
    ])
  })
})
