import { expect, test } from 'vitest'
import { inEachForm } from './support/forms.ts'

const path = '/v1/client/checkout/create-order'

inEachForm('a secret in a request', (emulator) => {
  const secrets = {
    'the API secret': 'canary-api-secret-4711',
    'the access token': 'canary-access-token-4712',
    'the webhook secret': btoa('canary webhook secret 4713'),
  }
  const [apiSecret, accessToken, webhookSecret] = Object.values(secrets)

  const places = {
    'a header of its own': (secret: string) => ({ headers: { 'x-debug': secret } }),
    'the signature': (secret: string) => ({ headers: { signature: secret } }),
    'a field of the body': (secret: string) => ({ body: JSON.stringify({ requestId: 'r1', lang: secret }) }),
    'a body that is no JSON': (secret: string) => ({ body: `{"lang":"${secret}` }),
    'the requestId': (secret: string) => ({ body: JSON.stringify({ requestId: secret }) }),
    'the query': (secret: string) => ({ path: `${path}?debug=${secret}` }),
    'the path': (secret: string) => ({ path: `/v1/${secret}` }),
  }

  test.each(
    Object.entries(secrets).flatMap(([name, secret]) =>
      Object.entries(places).map(([place, request]) => [name, place, secret, request] as const),
    ),
  )('%s in %s is masked wherever it is seen at once', async (_, place, secret, request) => {
    const client = await emulator().createClient({
      apiSecret,
      accessToken: accessToken ?? '',
      webhookSecret: `whsec_${webhookSecret}`,
    })
    const events = await emulator().events()
    const marker = crypto.randomUUID()
    const headers = { 'content-type': 'application/json', 'x-marker': marker }
    const { headers: more, ...changed } = { headers: {}, ...request(secret) }
    const waited = emulator().waitFor('request', { 'headers.x-marker': marker })
    const reply = await client.send({
      ...{ method: 'POST', path, body: '{}' },
      ...changed,
      headers: { ...headers, ...more },
    })
    const id = reply.headers['emulator-request-id'] ?? (await waited).id
    const seen: Record<string, unknown> = {
      'the entry': await emulator().requests.get(id),
      'the list': await emulator().requests.list({ order: 'newest', limit: 1 }),
      'the wait': await waited,
      'a wait that is in vain': await emulator()
        .waitFor('request', { 'headers.x-marker': `${marker}x` }, { timeoutMs: 0 })
        .catch(String),
      'a verification that fails': await emulator()
        .requests.verify({ 'headers.x-marker': `${marker}x` })
        .catch(String),
    }
    for await (const { type, data } of events) {
      if (type !== 'request' || data.id !== id) continue
      seen['the event'] = data
      break
    }
    await client.remove()
    expect(JSON.stringify(seen['the event']), place).toContain(`${secret.slice(0, 4)}…`)
    for (const [where, what] of Object.entries(seen))
      expect(JSON.stringify(what), where).not.toContain(secret)
  })
})
