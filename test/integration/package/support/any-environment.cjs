// Plays a whole order, whatever the globals are: on a port, without one, and at an emulator that runs elsewhere. Whatever the
// environment has of `fetch` is handed to the library, and what the library hands back is used.

const { deepStrictEqual: equal } = require('node:assert/strict')
const { setTimeout: pause } = require('node:timers/promises')

/** @param {typeof import('payment-order-emulator')} library */
exports.playOrders = async function playOrders({ connectEmulator, startEmulator }, { runningAt } = {}) {
  for (const listen of [true, false]) await playOrder(await startEmulator({ clock: 'manual', listen }))
  if (runningAt !== undefined)
    await playOrder(await connectEmulator(made(() => new URL(runningAt), 'href') ?? runningAt))
  await takeWebhooks(startEmulator)
}

async function playOrder(emulator) {
  const client = await emulator.createClient({ clock: { mode: 'manual' } })
  const inbox = await emulator.webhookInbox(client)
  await client.scenarios.next('fail-9004')
  const { requestId } = await client.createCheckoutOrder({ fiatAmount: '10.00' })
  await client.clock.advance('10m')
  const { event, signature } = await inbox.next({ requestId, orderStatus: 'FAILED' })
  equal([event.errorCode, signature], ['9004', 'ok'])

  // A token is signed with Web Crypto.
  await client.change({ settings: { 'webhook.format': 'jwt' } })
  await client.createCheckoutOrder({ requestId: 'token' })
  equal((await inbox.next({ requestId: 'token' })).signature, 'ok')

  const lookup = `${emulator.url}/v1/client/orders?requestId=${requestId}&clientId=${client.clientId}`
  await callAs(emulator, lookup, { headers: { 'access-token': client.accessToken } })
  await abortAs(emulator, client, lookup)
  equal(await emulator.fetch('http://shop.test/').catch(({ name }) => name), 'FetchRefused')
  await emulator.close()
}

async function callAs({ fetch, requests, url }, lookup, options) {
  const headers = made(() => new Headers(options.headers), 'get')
  for (const [input, init] of [
    [lookup, options],
    [made(() => new URL(lookup), 'href'), options],
    [made(() => new Request(lookup, options), 'url')],
    [lookup, headers && { headers }],
  ]) {
    if (input === undefined) continue
    const answer = await fetch(input, init ?? options)
    equal([answer.status, answer.headers.get('content-type')], [200, 'application/json; charset=utf-8'])
    equal((await answer.json()).data.length, 1)
  }
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' }
  const request = made(() => new Request(`${url}/v1/client/checkout/create-order`, post), 'url')
  if (request === undefined) return
  equal((await fetch(request)).status, 401)
  equal((await requests.list({ status: '401' }))[0].body, '{"a":1}')
}

async function abortAs({ fetch }, client, lookup) {
  const patience = made(() => new AbortController(), 'signal')
  if (patience === undefined) return
  await client.faults.plan({ on: 'orders', effect: { hang: 'forever' }, times: 1 })
  const headers = { 'access-token': client.accessToken }
  const asked = fetch(lookup, { headers, signal: patience.signal }).catch(({ name }) => name)
  while ((await client.faults.list())[0]?.hits !== 1) await pause(5)
  patience.abort()
  equal(await asked, 'AbortError')
  equal(await fetch(lookup, { headers, signal: patience.signal }).catch(({ name }) => name), 'AbortError')
}

async function takeWebhooks(startEmulator) {
  const seen = []
  const emulator = await startEmulator({
    clock: 'manual',
    listen: false,
    webhookFetch: async (request) => {
      seen.push([request.url, (await request.json()).orderStatus])
      return made(() => new Response('thanks'), 'status') ?? { status: 200, headers: new Map(), body: null }
    },
  })
  const client = await emulator.createClient({ webhookUrl: 'http://shop.test/hooks' })
  await client.createCheckoutOrder({ fiatAmount: '10.00' })
  await client.clock.advance('10m')
  equal(
    seen,
    ['CREATED', 'COMPLETED'].map((status) => ['http://shop.test/hooks', status]),
  )
  const [{ attempts }] = await client.deliveries.list()
  const isThere = made(() => new Response('thanks'), 'status') !== undefined
  equal([attempts[0].outcome, attempts[0].responseBody], ['accepted', isThere ? 'thanks' : ''])
  await emulator.close()
}

/** What the environment makes, if it makes anything of use. */
function made(make, member) {
  try {
    const value = make()
    return value?.[member] === undefined ? undefined : value
  } catch {
    return undefined
  }
}
