import { SignJWT } from 'jose'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { fitsAtItsTime, signatureProblem, validSecrets } from '../../src/webhooks/verification.ts'

const secrets = { webhookSecret: 'whsec_c2VjcmV0', apiSecret: 'demo-secret' }

const signed = (body: string, at = new Date()) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': new Webhook(secrets.webhookSecret).sign('msg_1', at, body),
})

describe('a webhook', () => {
  test('as it was signed verifies', () => {
    expect(signatureProblem('{"a":1}', signed('{"a":1}'), secrets)).toBeNull()
  })

  test('with the secret before a rotation verifies as long as that is valid', () => {
    const now = { clock: { now: 5 }, apiSecret: 'demo-secret', webhookSecret: 'whsec_b3RoZXI=' }
    const verified = (validUntil: number) => {
      const previousWebhookSecret = { secret: secrets.webhookSecret, validUntil }
      return signatureProblem('{}', signed('{}'), validSecrets({ ...now, previousWebhookSecret }))
    }
    expect(verified(6)).toBeNull()
    expect(verified(5)?.words).toMatch(/^wrong: /)
    expect(signatureProblem('{}', signed('{}'), validSecrets(now))?.words).toMatch(/^wrong: /)
  })

  test('with a signature of each of two secrets is too old for both', () => {
    const old = signed('{}', new Date(0))
    const both = { ...secrets, webhookSecret: 'whsec_b3RoZXI=', previousSecret: secrets.webhookSecret }
    expect(signatureProblem('{}', old, both)?.kind).toBe('time')
  })

  test.each([
    ['a changed body', '{"a":2}', {}, /^wrong: it does not match the body/],
    ['another secret', '{"a":1}', { secret: 'whsec_b3RoZXI=' }, /^wrong: /],
    ['an old timestamp', '{"a":1}', { 'webhook-timestamp': '1000000000' }, /^too old: /],
    ['no timestamp', '{"a":1}', { 'webhook-timestamp': '' }, /^missing: /],
    ['a timestamp in words', '{"a":1}', { 'webhook-timestamp': 'now' }, /^unreadable: /],
    ['a signature without its version', '{"a":1}', { 'webhook-signature': 'v1' }, /./],
    ['a signature of the body alone that does not fit', '{}', { own: 'x' }, /^wrong: .* apiSecret$/],
  ])('with %s does not', (_, body, { secret, own, ...headers }: Record<string, string>, problem) => {
    const used = { ...secrets, webhookSecret: secret ?? secrets.webhookSecret }
    const sent = own === undefined ? { ...signed('{"a":1}'), ...headers } : { signature: own }
    expect(signatureProblem(body, sent, used)?.words).toMatch(problem)
  })
})

describe('a token in the body', () => {
  const bodyWith = async (key: string, alg = 'HS256') => {
    const token = new SignJWT({ requestId: 'r1' }).setProtectedHeader({ alg })
    return JSON.stringify({ payload: await token.sign(new TextEncoder().encode(key)) })
  }

  test.each(['HS256', 'HS384', 'HS512'])('keyed with the API secret is right with %s', async (alg) => {
    const body = await bodyWith('demo-secret', alg)
    expect(signatureProblem(body, signed(body), secrets)).toBeNull()
  })

  test('keyed with another secret is wrong, however right the headers are', async () => {
    const body = await bodyWith('another')
    expect(signatureProblem(body, signed(body), secrets)?.words).toMatch(/^wrong: the token .* apiSecret$/)
  })

  test('that names no algorithm is not taken for genuine', () => {
    const head = Buffer.from('{"alg":"none"}').toString('base64url')
    const body = JSON.stringify({ payload: `${head}.e30.` })
    expect(signatureProblem(body, signed(body), secrets)?.kind).toBe('unreadable')
  })
})

test('a signature of long ago can be checked at its own time', () => {
  const headers = signed('{"a":1}', new Date('2020-01-01T00:00:00Z'))
  expect(signatureProblem('{"a":1}', headers, secrets)?.kind).toBe('time')
  expect(fitsAtItsTime('{"a":1}', headers, secrets)).toBe(true)
  expect(fitsAtItsTime('{"a":2}', headers, secrets)).toBe(false)
})
