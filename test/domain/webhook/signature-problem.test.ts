import { SignJWT } from 'jose'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { defaultSettings } from '../../../src/domain/choices/settings.ts'
import { jwtOf } from '../../../src/domain/webhook/jwt.ts'
import { recipeOf } from '../../../src/domain/webhook/recipe.ts'
import { type Secrets, signatureProblem } from '../../../src/domain/webhook/signature-problem.ts'
import { tokenProblem } from '../../../src/domain/webhook/token-problem.ts'
import { validSecrets } from '../../../src/webhooks/verification.ts'

const secrets = { webhookSecret: 'whsec_c2VjcmV0', apiSecret: 'demo-secret' }

const signed = (body: string, at = new Date()) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': new Webhook(secrets.webhookSecret).sign('msg_1', at, body),
})

type Auth = 'standard' | 'hmac-body'

function problemOf(
  body: string,
  headers: Record<string, string>,
  used: Secrets,
  { auth = 'standard', now = Date.now() }: { auth?: Auth; now?: number } = {},
) {
  const recipe = recipeOf({ ...defaultSettings, 'webhook.auth': auth })
  if (recipe === null) throw new Error('not signed')
  return signatureProblem({ body, headers, clientId: 'demo-client', url: null }, recipe, used, { now })
}

describe('a webhook', () => {
  test('as it was signed verifies', () => {
    expect(problemOf('{"a":1}', signed('{"a":1}'), secrets)).toBeNull()
  })

  test('with the secret before a rotation verifies as long as that is valid', () => {
    const now = { clock: { now: 5 }, apiSecret: 'demo-secret', webhookSecret: 'whsec_b3RoZXI=' }
    const verified = (validUntil: number) => {
      const previousWebhookSecret = { secret: secrets.webhookSecret, validUntil }
      return problemOf('{}', signed('{}'), validSecrets({ ...now, previousWebhookSecret }))
    }
    expect(verified(6)).toBeNull()
    expect(verified(5)?.words).toMatch(/^wrong: /)
    expect(problemOf('{}', signed('{}'), validSecrets(now))?.words).toMatch(/^wrong: /)
  })

  test('with a signature of each of two secrets is too old for both', () => {
    const old = signed('{}', new Date(0))
    const both = { ...secrets, webhookSecret: 'whsec_b3RoZXI=', previousSecret: secrets.webhookSecret }
    expect(problemOf('{}', old, both)?.kind).toBe('time')
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
    const auth = own === undefined ? 'standard' : 'hmac-body'
    expect(problemOf(body, sent, used, { auth })?.words).toMatch(problem)
  })
})

describe('a token in the body', () => {
  const bodyWith = async (key: string, alg = 'HS256') => {
    const token = new SignJWT({ requestId: 'r1' }).setProtectedHeader({ alg })
    return JSON.stringify({ payload: await token.sign(new TextEncoder().encode(key)) })
  }
  const problemIn = (body: string, alg: 'HS256' | 'HS384' | 'HS512' = 'HS256') => {
    const jwt = jwtOf({ ...defaultSettings, 'webhook.format': 'jwt', 'webhook.jwtAlgorithm': alg })
    if (jwt === null) throw new Error('no token')
    return tokenProblem({ body, headers: {}, clientId: 'demo-client' }, jwt, secrets, { now: Date.now() })
  }

  test.each(['HS256', 'HS384', 'HS512'] as const)(
    'keyed with the API secret is right with %s',
    async (alg) => {
      const body = await bodyWith('demo-secret', alg)
      expect(problemIn(body, alg)).toBeNull()
    },
  )

  test('keyed with another secret is wrong', async () => {
    const body = await bodyWith('another')
    expect(problemIn(body)?.words).toMatch(/^wrong: the token .* apiSecret$/)
  })

  test('with another algorithm than that of the settings is not taken for genuine', async () => {
    expect(problemIn(await bodyWith('demo-secret', 'HS512'))?.kind).toBe('unreadable')
  })

  test('that names no algorithm is not taken for genuine', () => {
    const head = Buffer.from('{"alg":"none"}').toString('base64url')
    expect(problemIn(JSON.stringify({ payload: `${head}.e30.` }))?.kind).toBe('unreadable')
  })
})

test('a signature of long ago can be checked at its own time', () => {
  const at = new Date('2020-01-01T00:00:00Z')
  const headers = signed('{"a":1}', at)
  expect(problemOf('{"a":1}', headers, secrets)?.kind).toBe('time')
  expect(problemOf('{"a":1}', headers, secrets, { now: at.getTime() })).toBeNull()
  expect(problemOf('{"a":2}', headers, secrets, { now: at.getTime() })?.kind).toBe('wrong')
})
