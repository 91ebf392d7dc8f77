import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startFixture, startTestEmulator, type TestEmulator } from '../support/emulator.ts'
import { aFolder } from '../support/folder.ts'

const slow = `# mine
id: slow
description: The money comes after a day
timeline:
  - { at: 26h, pay: completed }
`

const put = (emulator: TestEmulator, id: string, body: string, type = 'application/yaml') =>
  emulator.send(`/_emulator/scenarios/${id}`, { method: 'PUT', headers: { 'content-type': type }, body })

test('a built-in scenario is shown with its text and where it came from', async () => {
  const emulator = await startTestEmulator()
  const { json } = await emulator.control('/scenarios/fail-9004')
  expect(json).toMatchObject({ id: 'fail-9004', for: null, from: 'built-in', problems: [] })
  expect(json.version).toMatch(/^[0-9a-f]{16}$/)
  expect(json.text).toBe(readFileSync('scenarios/fail-9004.yaml', 'utf8'))
})

test('a scenario that does not exist is answered 404 with the nearest id', async () => {
  const emulator = await startTestEmulator()
  const answer = await emulator.send('/_emulator/scenarios/fail-904', { method: 'GET' })
  expect(answer.status).toBe(404)
  expect(answer.text).toContain('Did you mean \\"fail-9004\\"?')
})

test.each([
  ['application/yaml', slow],
  ['text/yaml; charset=utf-8', slow],
  [
    'application/json',
    '{\n\t"id": "slow",\n\t"description": "d",\n\t"timeline": [{"at": "26h", "pay": "completed"}]\n}',
  ],
])('PUT takes %s, and coming orders follow it', async (type, body) => {
  const { emulator, c1 } = await startFixture()
  expect((await put(emulator, 'slow', body, type)).json).toMatchObject({
    id: 'slow',
    from: 'put',
    text: body,
  })
  await c1.createCheckout(c1.checkout('r1', { email: 'buyer+slow@example.com' }))
  expect((await c1.order('r1')).scenario).toEqual({ id: 'slow', why: 'e-mail tag' })
  const { items } = await emulator.control('/scenarios')
  expect(items.find(({ id }) => id === 'slow')).toMatchObject({ from: 'put' })
})

test('PUT replaces a built-in scenario for coming orders; running ones keep theirs', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  await put(emulator, 'happy', slow.replace('id: slow', 'id: happy'))
  await c1.createCheckout('r2')
  await emulator.control('/clock/advance?clientId=C1', 'POST', { by: '10s' })
  expect((await c1.order('r1')).orderStatus).toBe('COMPLETED')
  expect((await c1.order('r2')).orderStatus).toBe('CREATED')
})

test('a wrong file is refused with every problem where it is, and changes nothing', async () => {
  const emulator = await startTestEmulator()
  const answer = await put(emulator, 'happy', 'id: hapy\ndescription: d\ntimeline:\n  - { atr: 2s }\n')
  expect(answer.status).toBe(400)
  const { error } = answer.json
  expect(error).toMatchObject({ code: 'invalid_input' })
  const lines = String(Object(error).message).split('\n')
  expect(lines).toEqual([expect.stringMatching(/^happy:4:7: unknown key `atr`; did you mean `at`\?$/)])
  expect((await emulator.control('/scenarios/happy')).json).toMatchObject({ from: 'built-in' })
})

test.each([
  ['slow', 'id: fast\ndescription: d\ntimeline: []', 'slow:1:5: '],
  [
    'slow',
    'id: slow\ndescription: d\ntimeline:\n  - { at: 2, pay: completed }\n  - { pay: done }',
    'slow:5:12: ',
  ],
  ['slow', 'id: [', 'slow:1:'],
  ['slow', '', 'slow:1:1: '],
])('PUT %s with %j is answered 400', async (id, body, message) => {
  const emulator = await startTestEmulator()
  const answer = await put(emulator, id, body)
  expect(answer.status).toBe(400)
  expect(answer.text).toContain(message)
})

test('PUT wants YAML or JSON', async () => {
  const emulator = await startTestEmulator()
  const answer = await put(emulator, 'slow', slow, 'text/plain')
  expect(answer.status).toBe(415)
  expect(answer.text).toContain('application/yaml')
})

test('what was put outlives a restart, and a reset puts the files back', async () => {
  const database = join(aFolder(), 'emulator.db')
  const first = await startTestEmulator({ database })
  await put(first, 'happy', slow.replace('id: slow', 'id: happy'))
  await put(first, 'slow', slow)
  await first.close()
  const second = await startTestEmulator({ database })
  expect((await second.control('/scenarios/slow')).json).toMatchObject({ from: 'put', text: slow })
  await second.control('/reset', 'POST', { keep: ['clients', 'scenarios'] })
  await second.control('/reset?clientId=demo-client', 'POST')
  expect((await second.control('/scenarios/happy')).json).toMatchObject({ from: 'put' })
  await second.control('/reset', 'POST')
  expect((await second.control('/scenarios/happy')).json).toMatchObject({ from: 'built-in' })
  expect((await second.send('/_emulator/scenarios/slow', { method: 'GET' })).status).toBe(404)
  await second.close()
  const third = await startTestEmulator({ database })
  expect((await third.control('/scenarios/happy')).json).toMatchObject({ from: 'built-in' })
})

test('explain tells the timetable of an order and each webhook', async () => {
  const { emulator } = await startFixture()
  const { json } = await emulator.control('/scenarios/paid-then-failed/explain?kind=payout&amount=7.50')
  expect(json).toMatchObject({ order: { kind: 'payout', fiatAmount: '7.50' }, cut: null })
  expect(json.rows).toMatchObject([
    { type: 'change', afterMs: 0, changes: [{ what: 'created' }] },
    { type: 'webhook', afterMs: 0, orderStatus: 'CREATED', orderType: 'PAYOUT' },
    { type: 'change', afterMs: 2000 },
    { type: 'change', afterMs: 8000, changes: [{ what: 'order', from: 'CREATED', to: 'FAILED' }] },
    { type: 'webhook', afterMs: 8000, orderStatus: 'FAILED' },
  ])
})

test('explain follows the settings of the client it is asked for', async () => {
  const { emulator } = await startFixture({ settings: { 'webhook.on': ['COMPLETED'] } })
  const told = async (query: string) => {
    const { json } = await emulator.control(`/scenarios/happy/explain${query}`)
    return JSON.stringify(json).match(/"type":"webhook"/g)?.length
  }
  expect(await told('')).toBe(2)
  expect(await told('?clientId=C1')).toBe(1)
})

test.each([
  ['/scenarios/happy/explain?kind=chekout', 400],
  ['/scenarios/happy/explain?amount=lots', 400],
  ['/scenarios/happy/explain?clientId=nobody', 404],
  ['/scenarios/hapy/explain', 404],
])('GET %s is answered %i', async (path, status) => {
  const emulator = await startTestEmulator()
  expect((await emulator.send(`/_emulator${path}`, { method: 'GET' })).status).toBe(status)
})

test('explain refuses a kind of order that the scenario is not for', async () => {
  const emulator = await startTestEmulator()
  await put(emulator, 'slow', `${slow}for: subscription\n`)
  const answer = await emulator.send('/_emulator/scenarios/slow/explain?kind=checkout', { method: 'GET' })
  expect(answer.status).toBe(400)
  expect(answer.text).toContain('is for subscription, not for checkout')
})

test('each scenario in the list outlines its steps, with times only where they are known', async () => {
  const emulator = await startTestEmulator()
  const { items } = await emulator.control('/scenarios?limit=1000')
  const stepsOf = (wanted: string) => items.find(({ id }) => id === wanted)?.steps
  expect(stepsOf('happy')).toEqual([
    { afterMs: 2_000, what: 'pay completed', orderStatus: null },
    { afterMs: 5_000, what: 'order COMPLETED', orderStatus: 'COMPLETED' },
  ])
  expect(stepsOf('fail-9004')).toMatchObject([{ orderStatus: 'FAILED' }])
  expect(stepsOf('payer-decides')).toMatchObject([{ afterMs: null }, { afterMs: null }])
})
