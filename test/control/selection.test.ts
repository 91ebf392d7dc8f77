import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { JsonObject } from '../support/answer.ts'
import type { TestClient } from '../support/client.ts'
import { startFixture, startTestEmulator } from '../support/emulator.ts'
import { aFolder } from '../support/folder.ts'

const chosen = async (client: TestClient, requestId: string) => (await client.order(requestId)).scenario

/** Every way to choose a scenario, strongest first, as an application or a test takes it. */
const ways: readonly [
  why: string,
  id: string,
  body: JsonObject,
  headers: Readonly<Record<string, string>>,
][] = [
  ['next', 'never-pays', {}, {}],
  ['header emulator-scenario', 'fail-9005', {}, { 'emulator-scenario': 'fail-9005' }],
  ['metadata.emulatorScenario', 'overnight', { metadata: { emulatorScenario: 'overnight' } }, {}],
  ['e-mail tag', 'happy-instant', { email: 'buyer+happy-instant@example.com' }, {}],
  ['requestDescription', 'expired-failed', { requestDescription: 'scenario: expired-failed' }, {}],
  ['userMessage', 'unknown-status', { userMessage: 'scenario:unknown-status' }, {}],
  ['amount', 'fail-9004', { fiatAmount: '90.04' }, {}],
  ['default', 'happy-slow', {}, {}],
]

test.each(ways.map((way, index) => [...way, index] as const))(
  'chosen by %s: the order shows %s, though every weaker way names another',
  async (why, id, _body, _headers, index) => {
    const { emulator, c1 } = await startFixture({ defaultScenario: 'happy-slow' })
    const weaker = ways.slice(index)
    if (why === 'next') await emulator.control('/scenarios/next', 'POST', { scenario: id, clientId: 'C1' })
    const body = c1.checkout('r1', Object.assign({}, ...weaker.map(([, , members]) => members)))
    const headers = Object.assign({}, ...weaker.map(([, , , own]) => own))
    const answer = await c1.createCheckout(body, { headers })
    expect(answer.status).toBe(200)
    expect(await chosen(c1, 'r1')).toEqual({ id, why })
    expect((await c1.journalOf(answer)).notes).toContain(`scenario: ${id} (${why})`)
  },
)

test('with nothing chosen it is happy, for checkouts and subscriptions', async () => {
  const { c1 } = await startFixture()
  await c1.createCheckout('r1')
  await c1.createSubscription('r2')
  for (const requestId of ['r1', 'r2'])
    expect(await chosen(c1, requestId)).toEqual({ id: 'happy', why: 'default' })
})

test('a subscription is chosen for by the same ways', async () => {
  const { c1 } = await startFixture()
  await c1.createSubscription(c1.subscription('r1', { email: 'buyer+sub-month3-fails@example.com' }))
  expect(await chosen(c1, 'r1')).toEqual({ id: 'sub-month3-fails', why: 'e-mail tag' })
  await c1.createSubscription('r2', { headers: { 'emulator-scenario': 'sub-cancelled' } })
  expect(await chosen(c1, 'r2')).toEqual({ id: 'sub-cancelled', why: 'header emulator-scenario' })
})

test('amounts choose nothing once that is switched off', async () => {
  const { c1 } = await startFixture({ settings: { 'scenarios.amounts': 'off' } })
  await c1.createCheckout(c1.checkout('r1', { fiatAmount: '90.04' }))
  expect(await chosen(c1, 'r1')).toEqual({ id: 'happy', why: 'default' })
})

test.each([
  [
    'does not exist',
    'header emulator-scenario',
    { headers: { 'emulator-scenario': 'fail-904' } },
    {},
    'fail-9004',
  ],
  ['does not exist', 'e-mail tag', {}, { email: 'a+hapy-slow@example.com' }, 'happy-slow'],
  ['does not exist', 'requestDescription', {}, { requestDescription: 'scenario:never-pay' }, 'never-pays'],
  ['is for subscription', 'e-mail tag', {}, { email: 'a+sub-month-end@example.com' }, undefined],
  ['is for payout', 'e-mail tag', {}, { email: 'a+payout-failed@example.com' }, undefined],
])('one that %s, named by %s, is ignored and journalled', async (what, why, options, body, near) => {
  const { c1 } = await startFixture({ defaultScenario: 'fail-9005' })
  const answer = await c1.createCheckout(c1.checkout('r1', body), options)
  expect(await chosen(c1, 'r1')).toEqual({ id: 'fail-9005', why: 'default' })
  const notes = JSON.stringify((await c1.journalOf(answer)).notes)
  expect(notes).toContain(`scenario: ${why} names`)
  expect(notes).toContain(what)
  if (near !== undefined) expect(notes).toContain(`did you mean \\"${near}\\"?`)
})

test('for one of another kind the nearest that fits the order is named', async () => {
  const folder = aFolder()
  for (const [id, kind] of Object.entries({ 'gold-plan': 'subscription', 'gold-plain': 'checkout' })) {
    writeFileSync(join(folder, `${id}.yaml`), `id: ${id}\ndescription: d\nfor: ${kind}\ntimeline: []\n`)
  }
  const { c1 } = await startFixture({}, { scenarios: [folder] })
  const answer = await c1.createCheckout(c1.checkout('r1', { email: 'a+gold-plan@example.com' }))
  expect((await c1.journalOf(answer)).notes).toContain(
    'scenario: e-mail tag names "gold-plan", which is for subscription; ignored; did you mean "gold-plain"?',
  )
})

test('a default that is for another kind gives way to happy', async () => {
  const { c1 } = await startFixture({ defaultScenario: 'sub-cancelled' })
  await c1.createCheckout('r1')
  expect(await chosen(c1, 'r1')).toEqual({ id: 'happy', why: 'default' })
})

test('a planned scenario for another kind is not used up by the order that cannot have it', async () => {
  const { emulator, c1 } = await startFixture()
  await emulator.control('/scenarios/next', 'POST', { scenario: 'sub-cancelled', clientId: 'C1' })
  await c1.createCheckout('r1')
  await c1.createSubscription('r2')
  expect(await chosen(c1, 'r1')).toEqual({ id: 'happy', why: 'default' })
  expect(await chosen(c1, 'r2')).toEqual({ id: 'sub-cancelled', why: 'next' })
})

test('a plan for one requestId waits for it', async () => {
  const { emulator, c1 } = await startFixture()
  await emulator.control('/scenarios/next', 'POST', { scenario: 'fail-9004', requestId: 'r2' })
  await c1.createCheckout('r1')
  await c1.createCheckout('r2')
  expect(await chosen(c1, 'r1')).toEqual({ id: 'happy', why: 'default' })
  expect(await chosen(c1, 'r2')).toEqual({ id: 'fail-9004', why: 'next' })
})

test.each([
  ['a wrong signature', { signed: 'wrong' }, {}],
  ['a wrong field', {}, { email: 'nobody' }],
  ['no token', { headers: { 'access-token': null } }, {}],
])('a create call refused for %s takes no planned scenario', async (_, options, body) => {
  const { emulator, c1 } = await startFixture()
  await emulator.control('/scenarios/next', 'POST', { scenario: 'fail-9004', clientId: 'C1' })
  expect((await c1.createCheckout(c1.checkout('r0', body), options)).status).toBeGreaterThanOrEqual(400)
  await c1.createCheckout('r1')
  expect(await chosen(c1, 'r1')).toEqual({ id: 'fail-9004', why: 'next' })
})

test('a retry of an order that took a planned scenario leaves the next plan alone', async () => {
  const { emulator, c1 } = await startFixture()
  await emulator.control('/scenarios/next', 'POST', { scenario: 'fail-9004', clientId: 'C1', count: 2 })
  await c1.createCheckout('r1')
  expect((await c1.createCheckout('r1')).text).toContain('7001')
  await c1.createCheckout('r2')
  await c1.createCheckout('r3')
  expect(await chosen(c1, 'r1')).toEqual({ id: 'fail-9004', why: 'next' })
  expect(await chosen(c1, 'r2')).toEqual({ id: 'fail-9004', why: 'next' })
  expect(await chosen(c1, 'r3')).toEqual({ id: 'happy', why: 'default' })
})

test('a planned scenario stays with the requestId whose create call it fails, and no other order gets it', async () => {
  const { emulator, c1 } = await startFixture()
  await emulator.control('/scenarios/next', 'POST', { scenario: 'create-500-no-order', clientId: 'C1' })
  expect((await c1.createCheckout('r1')).status).toBe(500)
  expect((await c1.createCheckout('r2')).status).toBe(200)
  expect((await c1.createCheckout('r1')).status).toBe(200)
  expect(await chosen(c1, 'r1')).toEqual({ id: 'create-500-no-order', why: 'next' })
  expect(await chosen(c1, 'r2')).toEqual({ id: 'happy', why: 'default' })
})

test('a plan names a scenario and not a version: what is put in its place meanwhile is followed', async () => {
  const { emulator, c1 } = await startFixture()
  await emulator.control('/scenarios/next', 'POST', { scenario: 'fail-9004', clientId: 'C1' })
  const body = 'id: fail-9004\ndescription: another\ntimeline: [{ at: 1s, order: ON_REVIEW }]\n'
  const headers = { 'content-type': 'application/yaml' }
  await emulator.send('/_emulator/scenarios/fail-9004', { method: 'PUT', headers, body })
  await c1.createCheckout('r1')
  await c1.advance('1s')
  expect((await c1.order('r1')).orderStatus).toBe('ON_REVIEW')
})

test('an order made by a test shows that the test chose', async () => {
  const emulator = await startTestEmulator()
  const order = { clientId: 'demo-client', kind: 'payout', scenario: 'payout-ok' }
  const { json } = await emulator.control('/orders', 'POST', order)
  expect(json.scenario).toMatchObject({ id: 'payout-ok' })
})

test('an order that a test or a fixture makes can be chosen for by its metadata too', async () => {
  const emulator = await startTestEmulator()
  const order = { requestId: 'r1', metadata: { emulatorScenario: 'fail-9005' } }
  await emulator.control('/fixtures', 'POST', { clients: [{ clientId: 'brought', orders: [order] }] })
  await emulator.control('/orders', 'POST', { clientId: 'demo-client', ...order })
  const { items } = await emulator.control('/orders')
  const chosen = { id: 'fail-9005', why: 'metadata.emulatorScenario' }
  expect(items.map(({ scenario }) => scenario)).toEqual([chosen, chosen])
})
