import { expect, test } from 'vitest'
import { controlDocument } from '../../src/app/openapi/control.ts'
import { ControlApi } from '../../src/testing/control-api.ts'
import { emulatorFetch } from '../../src/testing/emulator-fetch.ts'
import { connectionsTo, httpTransport } from '../../src/testing/http-transport.ts'
import type { TestClient } from '../../src/testing/test-client.ts'
import { TestEmulator } from '../../src/testing/test-emulator.ts'
import type { Transport } from '../../src/testing/transport.ts'
import { startTestEmulator } from '../support/emulator.ts'
import { startReceiver } from '../support/receiver.ts'

/** Calls without a method of their own, and why tests do not need one. `control` makes them. */
const withoutMethod = [
  // Tools outside a test: is it up, how is it doing, what is there to read.
  ...['GET /health', 'GET /docs', 'GET /docs.css', 'GET /choices', 'GET /fixtures/{name}'],
  ...['GET /openapi.json', 'GET /openapi-control.json'],
  // Of people who look on.
  ...['GET /overview', 'GET /failures', 'POST /deliveries/resend'],
  // Between a sweep and the library.
  ...['GET /sweep', 'PUT /sweep', 'DELETE /sweep'],
]

const mine = { id: 'mine', description: 'Paid after a second', tests: 'nothing' }

/** Each method, called as a test would. */
const calls: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  'emulator.about': ({ emulator }) => emulator.about(),
  'emulator.clients': ({ emulator }) => emulator.clients(),
  'emulator.client': ({ emulator }) => emulator.client('demo-client'),
  'emulator.createClient': ({ emulator }) => emulator.createClient(),
  'emulator.fixtures': ({ emulator }) => emulator.fixtures(),
  'emulator.loadShippedFixture': ({ emulator }) => emulator.loadShippedFixture('empty'),
  'emulator.loadFixture': ({ emulator }) => emulator.loadFixture({ clients: [{ clientId: 'made' }] }),
  'emulator.webhookInbox': ({ emulator, client }) => emulator.webhookInbox(client),
  'client.read': ({ client }) => client.read(),
  'client.change': ({ client }) => client.change({ defaultScenario: 'happy' }),
  'client.rotateWebhookSecret': ({ client }) => client.rotateWebhookSecret({ overlap: '1h' }),
  'client.expireTokens': ({ client }) => client.expireTokens(),
  'client.createCheckoutOrder': ({ client }) => client.createCheckoutOrder({ requestId: 'r1' }),
  'client.createSubscriptionOrder': ({ client }) => client.createSubscriptionOrder({ requestId: 's1' }),
  'client.fiatOrders': ({ client }) => client.fiatOrders('r1'),
  'client.cryptoOrders': ({ client }) => client.cryptoOrders('r1'),
  'client.fiatRefunds': ({ client }) => client.fiatRefunds('r1'),
  'client.simulateWebhook': ({ client }) => client.simulateWebhook({ requestId: 'r1' }),
  'client.setWebhookUrl': ({ client, url }) => client.setWebhookUrl(url),
  'client.issueAccessToken': ({ client }) => client.issueAccessToken(),
  'client.send': ({ client }) => client.send({ method: 'GET', path: '/v1/client/orders' }),
  'client.sign': async ({ client }) => client.sign('text'),
  'client.status': ({ client }) => client.status(),
  'client.coverage': ({ client }) => client.coverage(),
  'client.resetCoverage': ({ client }) => client.resetCoverage(),
  'client.users': ({ client }) => client.users(),
  'client.settings': ({ client }) => client.settings(),
  'client.changeSettings': ({ client }) => client.changeSettings({ 'orders.expiry': '5m' }),
  'client.events': async ({ client }) => (await client.events()).close(),
  'client.waitFor': ({ client }) => client.waitFor('order', { requestId: 'r1' }),
  'client.control': ({ client }) => client.control('GET', '/metrics'),
  'client.clock.read': ({ client }) => client.clock.read(),
  'client.clock.now': ({ client }) => client.clock.now(),
  'client.clock.due': ({ client }) => client.clock.due(),
  'client.clock.set': ({ client }) => client.clock.set({ mode: 'manual' }),
  'client.clock.advance': ({ client }) => client.clock.advance('10m'),
  'client.clock.advanceTo': async ({ client }) => client.clock.advanceTo((await client.clock.now()) + 1),
  'client.clock.advanceToNext': ({ client }) => client.clock.advanceToNext(),
  'client.clock.runUntilIdle': ({ client }) => client.clock.runUntilIdle({ limit: 1 }),
  'client.clock.settle': ({ client }) => client.clock.settle(),
  'client.orders.list': ({ client }) => client.orders.list({ search: 'r1' }),
  'client.orders.get': async ({ client }) => client.orders.get(await client.orders.get('r1')),
  'client.orders.sequence': ({ client }) => client.orders.sequence('r1', 'svg'),
  'client.orders.make': ({ client }) => client.orders.make({ requestId: 'm1', scenario: 'payer-decides' }),
  'client.orders.pay': ({ client }) => client.orders.pay('m1'),
  'client.orders.refund': ({ client }) => client.orders.refund('r1', { fiatAmount: '1.00' }),
  'client.orders.keep': ({ client }) => client.orders.keep('r1'),
  'client.orders.cancelSubscription': ({ client }) => client.orders.cancelSubscription('s1'),
  'client.deliveries.list': ({ client }) => client.deliveries.list({ status: 'delivered' }),
  'client.deliveries.send': ({ client }) => client.deliveries.send({ body: {} }),
  'client.deliveries.get': async ({ client }) => client.deliveries.get(await aDelivery(client)),
  'client.deliveries.resend': async ({ client }) => client.deliveries.resend(await aDelivery(client)),
  'client.deliveries.hold': ({ client }) => client.deliveries.hold({ requestId: 'none' }),
  'client.deliveries.release': ({ client }) => client.deliveries.release(),
  'client.requests.list': ({ client }) => client.requests.list({ status: 200 }),
  'client.requests.get': async ({ client }) => client.requests.get((await aRequest(client)).id),
  'client.requests.verify': ({ client }) => client.requests.verify({ requestId: 'r1' }),
  'client.faults.plan': ({ client }) => client.faults.plan({ on: 'orders', effect: { status: 503 } }),
  'client.faults.list': ({ client }) => client.faults.list(),
  'client.faults.get': async ({ client }) => client.faults.get(await aFault(client)),
  'client.faults.remove': async ({ client }) => client.faults.remove(await aFault(client)),
  'client.faults.clear': ({ client }) => client.faults.clear(),
  'client.scenarios.next': ({ client }) => client.scenarios.next('chaos', { count: 2 }),
  'client.scenarios.planned': ({ client }) => client.scenarios.planned(),
  'client.scenarios.clearPlanned': ({ client }) => client.scenarios.clearPlanned(),
  'client.scenarios.list': ({ client }) => client.scenarios.list(),
  'client.scenarios.problems': ({ client }) => client.scenarios.problems(),
  'client.scenarios.get': ({ client }) => client.scenarios.get('happy'),
  'client.scenarios.explain': ({ client }) => client.scenarios.explain('happy', { kind: 'payout' }),
  'client.scenarios.put': ({ client }) =>
    client.scenarios.put('mine', { ...mine, timeline: [{ at: '1s', pay: 'completed' }] }),
  'client.scenarios.remove': ({ client }) => client.scenarios.remove('mine'),
  'client.snapshot': ({ client }) => client.snapshot(),
  'client.restore': async ({ client }) => client.restore(await client.snapshot()),
  'client.reset': ({ client }) => client.reset(),
  'client.remove': ({ client }) => client.remove(),
  'emulator.close': ({ emulator }) => emulator.close(),
}

interface World {
  readonly emulator: TestEmulator
  readonly client: TestClient
  /** Of a receiver of webhooks. */
  readonly url: string
}

const aDelivery = async ({ deliveries }: TestClient) => (await deliveries.list())[0]?.id ?? ''
const aFault = async ({ faults }: TestClient) => (await faults.list())[0]?.id ?? ''
const aRequest = async ({ requests }: TestClient) => {
  const [first] = await requests.list()
  if (first === undefined) throw new Error('nothing in the journal')
  return first
}

test('every method does what it says on a world where it can, and every call of the control API has one', async () => {
  const { url } = await startTestEmulator()
  const way = connectionsTo()
  const transport = httpTransport(url, way)
  const asked = new Set<string>()
  const noting: Transport = {
    ...transport,
    send: (request) => {
      asked.add(`${request.method} ${request.path.replace(/^\/_emulator|\?.*/g, '')}`)
      return transport.send(request)
    },
    open: (request) => {
      asked.add('GET /events')
      return transport.open(request)
    },
  }
  const emulator = new TestEmulator({
    api: new ControlApi(noting, null),
    service: { url, transport: noting },
    fetch: emulatorFetch(url, way),
    close: () => way.close(),
  })
  const receiver = await startReceiver()
  const client = await emulator.createClient({ webhookUrl: receiver.url })
  for (const [name, call] of Object.entries(calls)) {
    await call({ emulator, client, url: receiver.url }).catch((error: unknown) => {
      throw new Error(`${name}: ${error instanceof Error ? error.message : error}`)
    })
  }
  expect(Object.keys(calls).toSorted()).toEqual(methodsOf({ emulator, client }).toSorted())
  expect(operations().filter((operation) => !wasAsked(operation, asked))).toEqual(withoutMethod.toSorted())
})

/** `client.clock.advance`, and so on; what client and emulator share stands with the client. */
function methodsOf({ emulator, client }: Pick<World, 'emulator' | 'client'>): string[] {
  const parts = ['clock', 'orders', 'deliveries', 'requests', 'faults', 'scenarios'] as const
  const ofParts = parts.flatMap((part) => ownMethods(client[part]).map((name) => `client.${part}.${name}`))
  const shared = ownMethods(Object.getPrototypeOf(Object.getPrototypeOf(client)), true)
  const ofClient = [...new Set([...ownMethods(client), ...shared])].map((name) => `client.${name}`)
  return [...ofParts, ...ofClient, ...ownMethods(emulator).map((name) => `emulator.${name}`)]
}

/** @param itself whether it is a prototype already */
function ownMethods(thing: object, itself = false): string[] {
  const prototype: object = itself ? thing : Object.getPrototypeOf(thing)
  const members = Object.entries(Object.getOwnPropertyDescriptors(prototype))
  return members.flatMap(([name, { value }]) =>
    typeof value === 'function' && name !== 'constructor' && name !== 'toJSON' ? [name] : [],
  )
}

function operations(): string[] {
  const paths = Object.entries(controlDocument().paths ?? {})
  return paths
    .flatMap(([path, item]) =>
      (['get', 'post', 'put', 'patch', 'delete'] as const).flatMap((method) =>
        item[method] === undefined ? [] : [`${method.toUpperCase()} ${path.replace('/_emulator', '')}`],
      ),
    )
    .toSorted()
}

function wasAsked(operation: string, asked: ReadonlySet<string>): boolean {
  const pattern = new RegExp(`^${operation.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
  return [...asked].some((each) => pattern.test(each))
}
