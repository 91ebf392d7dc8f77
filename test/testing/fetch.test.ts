import { describe, expect, test } from 'vitest'
import { FetchRefused, type TestClient, type TestEmulator } from '../../src/index.ts'
import { forms } from './support/forms.ts'

describe.each(forms)('fetch of an emulator %s', (_, begin) => {
  async function begun() {
    const emulator = await begin({ clock: 'manual' })
    const client = await emulator.createClient()
    const { requestId } = await client.createCheckoutOrder({ fiatAmount: '10.00', email: 'a@example.com' })
    return { emulator, client, requestId, ask: lookup(emulator, client, requestId) }
  }

  test('answers as the platform’s does', async () => {
    const { emulator, client, ask } = await begun()
    const answer = await ask()
    expect(answer.url).toMatch(`${emulator.url}/v1/client/orders?`)
    expect(await answer.json()).toMatchObject({ data: [{ clientId: client.clientId }] })
  })

  test('takes a Request, and a body that is streamed', async () => {
    const { emulator } = await begun()
    const body = new Blob(['{"fields":', '"none"}']).stream()
    const headers = { 'content-type': 'application/json' }
    const init: object = { method: 'POST', headers, body, duplex: 'half' }
    const request = new Request(`${emulator.url}/v1/client/checkout/create-order`, init)
    expect((await emulator.fetch(request)).status).toBe(401)
    const [entry] = await emulator.requests.list({ operation: 'create-checkout-order', status: '401' })
    expect(entry).toMatchObject({ body: '{"fields":"none"}' })
  })

  test('sends nothing to any other URL, and names it', async () => {
    const { emulator } = await begun()
    const asked = emulator.fetch('https://payment.example.com/v1/client/orders', { method: 'POST' })
    await expect(asked).rejects.toThrow(FetchRefused)
    await expect(asked).rejects.toThrow(
      /POST https:\/\/payment\.example\.com\/v1\/client\/orders was not sent/,
    )
  })

  test('follows a redirect within the emulator, and none that leads out', async () => {
    const { client, ask } = await begun()
    const redirectTo = (location: string) =>
      client.faults.plan({
        ...{ on: 'orders', when: 'stored', times: 1 },
        effect: { status: 302, headers: { location } },
      })
    await redirectTo('/v1/client/nowhere')
    expect(await ask()).toMatchObject({ redirected: true, status: 404 })
    await redirectTo('http://payment.example.com/elsewhere')
    await expect(ask()).rejects.toThrow(/GET http:\/\/payment\.example\.com\/elsewhere was not sent/)
  })

  test('is rejected by a reset as by any broken connection', async () => {
    const { client, ask } = await begun()
    await client.faults.plan({ on: 'orders', effect: { reset: true }, times: 1 })
    await expect(ask()).rejects.toMatchObject({
      name: 'TypeError',
      message: 'fetch failed',
      cause: { code: 'ECONNRESET' },
    })
    expect((await ask()).status).toBe(200)
  })

  test('answers a cut with a body that breaks off', async () => {
    const { client, ask } = await begun()
    await client.faults.plan({ on: 'orders', when: 'stored', effect: { cut: true }, times: 1 })
    const answer = await ask()
    expect(answer.status).toBe(200)
    await expect(answer.text()).rejects.toThrow(TypeError)
  })

  test('waits while an answer is delayed on the client’s clock', async () => {
    const { client, ask } = await begun()
    await client.faults.plan({ on: 'orders', effect: { delay: '30s' }, times: 1 })
    const [answer] = await Promise.all([ask(), advanceOnceHeld(client, '30s')])
    expect(answer.status).toBe(200)
  })

  test('is rejected when a hang ends on the client’s clock', async () => {
    const { client, ask } = await begun()
    await client.faults.plan({ on: 'orders', effect: { hang: '60s' }, times: 1 })
    const asked = expect(ask()).rejects.toMatchObject({ message: 'fetch failed' })
    await Promise.all([asked, advanceOnceHeld(client, '60s')])
  })

  test('is aborted by its signal, and the emulator learns of it', async () => {
    const { client, ask } = await begun()
    await client.faults.plan({ on: 'orders', when: 'stored', effect: { delay: '30s' }, times: 1 })
    const patience = new AbortController()
    const asked = expect(ask(patience.signal)).rejects.toThrow('out of patience')
    await held(client)
    patience.abort(new Error('out of patience'))
    await asked
    const entry = await client.waitFor('request', { operation: 'orders', status: 0 })
    expect(entry.notes).toContain('the caller gave up while the answer was held back')
  })

  test('is rejected when the emulator closes while it waits', async () => {
    const { emulator, client, ask } = await begun()
    await client.faults.plan({ on: 'orders', effect: { hang: 'forever' }, times: 1 })
    const asked = expect(ask()).rejects.toMatchObject({ message: 'fetch failed' })
    await held(client)
    await emulator.close()
    await asked
  })

  test('is refused in words where a head is too large', async () => {
    const { emulator } = await begun()
    const answer = await emulator.fetch(emulator.url, { headers: { 'x-large': 'x'.repeat(20_000) } })
    expect(answer.status).toBe(431)
    expect(await answer.json()).toMatchObject({ error: expect.stringContaining('16 KiB') })
  })

  test('sends many requests at once, and large bodies', async () => {
    const { emulator, ask } = await begun()
    const statuses = (await Promise.all(Array.from({ length: 50 }, () => ask()))).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200]))
    const headers = { 'content-type': 'application/json' }
    const large = { method: 'POST', headers, body: JSON.stringify({ metadata: 'x'.repeat(900_000) }) }
    expect((await emulator.fetch(`${emulator.url}/v1/client/simulate-webhook`, large)).status).toBe(401)
  })
})

test('The journal of an emulator without a port is the same as of one with a port', async () => {
  const journals = forms.map(async ([, begin]) => {
    const emulator = await begin({ clock: 'manual', startTime: '2026-04-21T16:00:00Z', seed: 'same' })
    const client = await emulator.createClient({ clientId: 'c', apiSecret: 's', accessToken: 't' })
    await client.createCheckoutOrder({ fiatAmount: '10.00', email: 'a@example.com', requestId: 'r1' })
    await client.faults.plan({ on: 'orders', effect: { reset: true }, times: 1 })
    const ask = lookup(emulator, client, 'r1')
    await ask().catch(() => undefined)
    await ask()
    const entries = await client.requests.list()
    return entries.map(({ id, wallAt, ms, headers: { host, ...headers }, response, ...entry }) => ({
      ...entry,
      headers,
      response: response.replaceAll(emulator.url, ''),
    }))
  })
  const [first, ...others] = await Promise.all(journals)
  expect(first).toHaveLength(3)
  for (const other of others) expect(other).toEqual(first)
})

const lookup =
  (emulator: TestEmulator, client: TestClient, requestId: string) =>
  (signal: AbortSignal | null = null): Promise<Response> => {
    const query = new URLSearchParams({ requestId, clientId: client.clientId })
    // Node's `fetch` says so of itself; since Node 26 only to hosts that it trusts, like 127.0.0.1.
    const mode = { 'sec-fetch-mode': 'cors' }
    const headers = { 'access-token': client.accessToken, ...mode }
    return emulator.fetch(`${emulator.url}/v1/client/orders?${query}`, { headers, signal })
  }

/** Until the next planned fault has met its call. */
async function held(client: TestClient): Promise<void> {
  await expect.poll(async () => (await client.faults.list())[0]?.hits ?? 1, { interval: 5 }).toBe(1)
}

async function advanceOnceHeld(client: TestClient, by: string): Promise<void> {
  await held(client)
  await client.clock.advance(by)
}
