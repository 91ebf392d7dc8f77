import { expect, test } from 'vitest'
import { type Spawned, spawnProgram } from './spawned.ts'

/** Tells with each answer whether Node has loaded its HTTP client. Timers are late, so that nothing is loaded in passing. */
const before = `
  const timers = process.getBuiltinModule('node:timers');
  const { setTimeout } = timers;
  timers.setTimeout = (act, ms, ...more) => setTimeout(act, ms + 60_000, ...more);
  const { Server } = process.getBuiltinModule('node:http');
  const { emit } = Server.prototype;
  Server.prototype.emit = function (name, ...args) {
    if (name === 'request') args[1].on('close', () => console.error(
      args[0].url + ' loaded: ' + process.moduleLoadList.includes('NativeModule internal/deps/undici/undici')));
    return emit.call(this, name, ...args);
  }`

const urlOf = async (program: Spawned): Promise<string> =>
  (await program.wrote(/http:\/\/127\.0\.0\.1:\d+/))[0]

test('a start and its first answer do without Node’s HTTP client', async () => {
  const program = spawnProgram(['--port', '0'], { before })
  const url = await urlOf(program)
  const answer = await fetch(`${url}/_emulator/health`)
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect((await program.wrote(/health loaded: (\w+)/))[1]).toBe('false')
})

test('a call of the service does without it too', async () => {
  const program = spawnProgram(['--port', '0'], { before })
  const headers = { 'content-type': 'application/json' }
  const call = `${await urlOf(program)}/v1/client/checkout/create-order`
  const answer = await fetch(call, { method: 'POST', headers, body: '{}' })
  expect(answer.status).toBe(401)
  expect((await program.wrote(/create\S* loaded: (\w+)/))[1]).toBe('false')
})

test('what needs it loads it: answers that are read again, that stream, and that leave by themselves', async () => {
  const program = spawnProgram(['--port', '0'], { before })
  const url = await urlOf(program)
  const status = await fetch(`${url}/_emulator/status`)
  expect([status.status, status.headers.get('x-content-type-options')]).toEqual([200, 'nosniff'])
  expect((await program.wrote(/status loaded: (\w+)/))[1]).toBe('true')
  const snapshot = await fetch(`${url}/_emulator/snapshot`)
  expect(await snapshot.text()).toContain('demo-client')
  const events = await fetch(`${url}/_emulator/events`)
  expect(events.headers.get('content-type')).toContain('text/event-stream')
  await events.body?.cancel()
  expect((await fetch(`${url}/_emulator/health`)).status).toBe(200)
  expect(program.written.err).not.toContain('Error')
})
