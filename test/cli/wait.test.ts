import { expect, test } from 'vitest'
import { run } from '../../src/cli/program.ts'
import { freePort } from '../../tools/free-port.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { create, startForTest } from './running.ts'
import { serverFor } from './servers.ts'

async function wait(url: string, argv: readonly string[], env = {}) {
  const terminal = new FakeTerminal({ EMULATOR_URL: url, ...env })
  const exitCode = await run(['wait', ...argv], terminal)
  return { exitCode, out: terminal.output.join('\n'), err: terminal.errors.join('\n') }
}

const refusal = { error: { code: 'x', message: 'words' } }

async function refusedWith(status: number) {
  const { url } = await serverFor((_, answer) => answer.writeHead(status).end(JSON.stringify(refusal)))
  return wait(url, ['--for', 'order'])
}

const advance = (url: string, by: string) =>
  fetch(`${url}/_emulator/clock/advance`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ by }),
  })

test('a healthy emulator ends it with 0', async () => {
  const { url } = await startForTest()
  expect(await wait(url, [])).toEqual({ exitCode: 0, out: expect.stringContaining('is healthy'), err: '' })
  expect(JSON.parse((await wait(url, ['--json'])).out)).toMatchObject({ status: 'ok' })
})

test('--json prints an order on one line, with all digits of its numbers', async () => {
  const { url } = await startForTest()
  await fetch(`${url}/_emulator/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"clientId":"demo-client","requestId":"r1","metadata":{"a":12345678901234567890,\n"b":1.10}}',
  })
  const { out } = await wait(url, ['--for', 'order', '--where', 'requestId=r1', '--json'])
  expect(out).toContain('"metadata":{"a":12345678901234567890, "b":1.10}')
  expect(JSON.parse(out)).toMatchObject({ requestId: 'r1' })
})

test('an emulator that comes later is waited for', async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const terminal = new FakeTerminal({ EMULATOR_URL: url })
  const waiting = run(['wait', '--for', 'order', '--where', 'requestId=r1'], terminal)
  await terminal.written(/^waiting for the emulator at /)
  await startForTest({ port })
  await create(url, 'r1')
  expect(await waiting).toBe(0)
})

test('--for waits until it is so', async () => {
  const { url } = await startForTest({ clock: 'manual' })
  await create(url, 'r1')
  const waiting = wait(url, [
    '--for',
    'order',
    '--where',
    'requestId=r1,orderStatus=COMPLETED',
    '--client',
    'demo-client',
  ])
  await advance(url, '5s')
  expect(await waiting).toMatchObject({
    exitCode: 0,
    out: expect.stringMatching(/^order r1 is COMPLETED \(/),
  })
})

test('a delivery and a request are told in a line, or as JSON', async () => {
  const { url } = await startForTest({ clock: 'manual' })
  await create(url, 'r1', 'nonsense')
  await create(url, 'r2')
  const delivery = await wait(url, ['--for', 'delivery', '--where', 'requestId=r2'])
  expect(delivery.out).toMatch(/^delivery \w+ of r2, CREATED, is skipped$/)
  const where = ['--where', 'operation=create-order', '--where', 'body.requestId=r1,status=401']
  const request = await wait(url, ['--for', 'request', ...where])
  expect(request.out).toMatch(
    /^request \w+, POST \/v1\/client\/checkout\/create-order, was answered 401 \(signature\.\S+\)$/,
  )
  const { out } = await wait(url, ['--for', 'request', ...where, '--json'])
  expect(JSON.parse(out)).toMatchObject({ requestId: 'r1', status: 401 })
})

test('a comma that no name follows belongs to the value', async () => {
  const { url } = await startForTest({ clock: 'manual' })
  await create(url, 'a,b')
  expect((await wait(url, ['--for', 'order', '--where', 'requestId=a,b,charge=1'])).exitCode).toBe(0)
})

test('in vain it ends with 1 and the nearest miss', async () => {
  const { url } = await startForTest({ clock: 'manual' })
  await create(url, 'r1')
  const where = ['--where', 'requestId=r1,orderStatus=COMPLETED']
  const { exitCode, err } = await wait(url, ['--for', 'order', ...where, '--timeout', '20ms'])
  expect([exitCode, err]).toEqual([
    1,
    expect.stringMatching(/^error: No order with .* within 20 ms\..* orderStatus is "CREATED"\.$/),
  ])
})

test('where nothing answers, or something else, it ends with 1', async () => {
  const nobody = await wait(`http://127.0.0.1:${await freePort()}`, ['--timeout', '20ms'])
  expect([nobody.exitCode, nobody.err]).toEqual([
    1,
    expect.stringMatching(/no emulator answers at .* `--url`$/),
  ])
  const { url } = await serverFor((_, answer) => answer.end('hello'))
  const another = await wait(url, ['--timeout', '20ms'])
  expect([another.exitCode, another.err]).toEqual([1, expect.stringContaining('is not an emulator')])
})

test.each([400, 401, 403, 404, 421])('a refusal with %i is wrong usage', async (status) => {
  expect((await refusedWith(status)).exitCode).toBe(2)
})

test.each([413, 500, 507])('a refusal with %i is not', async (status) => {
  expect(await refusedWith(status)).toMatchObject({
    exitCode: 1,
    err: expect.stringContaining('rejects the call: words'),
  })
})

test('where too many wait already, it asks again', async () => {
  let asked = 0
  const { url } = await serverFor((_, answer) => {
    asked += 1
    answer.writeHead(asked < 3 ? 429 : 200)
    answer.end(
      JSON.stringify(asked < 3 ? refusal : { orderId: 'o1', requestId: 'r1', orderStatus: 'CREATED' }),
    )
  })
  expect(await wait(url, ['--for', 'order'])).toMatchObject({ exitCode: 0 })
})

test('what takes the call and says nothing is waited for no longer than asked', async () => {
  const { url } = await serverFor(() => {})
  const { exitCode, err } = await wait(url, ['--timeout', '1ms'])
  expect([exitCode, err]).toEqual([1, expect.stringContaining('no answer in time')])
}, 3_000)

test('an emulator that stops meanwhile is waited for again', async () => {
  const { url, close } = await startForTest()
  const waiting = wait(url, ['--for', 'order', '--timeout', '300ms'])
  await close()
  expect(await waiting).toMatchObject({ exitCode: 1, err: expect.stringContaining('no emulator answers at') })
})

test('a control token is passed on', async () => {
  const { url } = await startForTest({ controlToken: 'secret', clock: 'manual' })
  await create(url, 'r1')
  const where = ['--for', 'order', '--where', 'requestId=r1']
  expect(await wait(url, where)).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('rejects the call'),
  })
  expect((await wait(url, [...where, '--control-token', 'secret'])).exitCode).toBe(0)
  expect((await wait(url, where, { EMULATOR_CONTROL_TOKEN: 'secret' })).exitCode).toBe(0)
})

test.each([
  [['--for', 'orders'], 'order, delivery, request'],
  [['--for', 'order', '--where', 'requestId'], 'expected name=value, not "requestId"'],
  [['--for', 'order', '--where', '=r1'], 'expected name=value'],
  [['--for', 'order', '--where', 'requestId=a,requestId=b'], 'requestId occurs more than once'],
  [['--where', 'requestId=r1'], 'work only with `--for order`'],
  [['--client', 'C1'], 'work only with `--for order`'],
  [['--order', 'r1'], "unknown option '--order'; use `--for order --where requestId=r1`"],
  [['--delivery', 'a b'], "unknown option '--delivery'; use `--for delivery --where 'requestId=a b'`"],
  [['--timeout', '10'], 'expected a duration up to 10m, like 500ms or 10s, not "10"; did you mean 10s?'],
  [['--url', 'http://x:1/_emulator/'], '--url: leave out /_emulator: http://x:1'],
  [['--timeout', '11m'], 'expected a duration up to 10m'],
  [['--url', 'localhost'], '--url: expected a URL'],
  [['something'], 'too many arguments'],
])('%j is wrong usage', async (argv, words) => {
  expect(await wait('http://127.0.0.1:9', argv)).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining(words),
  })
})

test('a member that does not exist, or a client, is wrong usage too', async () => {
  const { url } = await startForTest()
  const member = await wait(url, ['--for', 'order', '--where', 'request_id=r1'])
  expect([member.exitCode, member.err]).toEqual([2, expect.stringContaining('did you mean `requestId`?')])
  expect((await wait(url, ['--for', 'order', '--client', 'nobody'])).exitCode).toBe(2)
})
