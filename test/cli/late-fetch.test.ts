import { expect, test } from 'vitest'
import { spawnProgram } from './spawned.ts'

/** Tells with each answer whether an HTTP client has been loaded: Node's and undici leave the same trace. Timers are late, so
 *  that nothing is loaded in passing. */
const before = `
  const timers = process.getBuiltinModule('node:timers');
  const { setTimeout } = timers;
  timers.setTimeout = (act, ms, ...more) => setTimeout(act, ms + 60_000, ...more);
  const { Server } = process.getBuiltinModule('node:http');
  const { emit } = Server.prototype;
  Server.prototype.emit = function (name, ...args) {
    if (name === 'request') args[1].on('close', () => console.error(
      args[0].url + ' loaded: ' + Object.getOwnPropertySymbols(globalThis).some(({ description }) =>
      description.startsWith('undici.globalDispatcher'))));
    return emit.call(this, name, ...args);
  }`

/** Starts the program and calls it once.
 *  @returns `loaded`: whether it has loaded the client by the end of its answer */
async function firstCall(path: string, init?: RequestInit) {
  const program = spawnProgram(['--port', '0'], { before })
  const [url] = await program.wrote(/http:\/\/127\.0\.0\.1:\d+/)
  const { status, headers } = await fetch(`${url}${path}`, init)
  const [, loaded] = await program.wrote(/ loaded: (\w+)/)
  return { program, url, status, headers, loaded }
}

test('a start and its first answer do without an HTTP client', async () => {
  const { status, headers, loaded } = await firstCall('/_emulator/health')
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(loaded).toBe('false')
})

test('a call of the service does without it too', async () => {
  const headers = { 'content-type': 'application/json' }
  const call = { method: 'POST', headers, body: '{}' }
  const { status, loaded } = await firstCall('/v1/client/checkout/create-order', call)
  expect(status).toBe(401)
  expect(loaded).toBe('false')
})

test('answers that are read again, that stream, and that leave by themselves do without it too', async () => {
  const { program, url, status, headers, loaded } = await firstCall('/_emulator/status')
  expect([status, headers.get('x-content-type-options')]).toEqual([200, 'nosniff'])
  expect(loaded).toBe('false')
  const snapshot = await fetch(`${url}/_emulator/snapshot`)
  expect(await snapshot.text()).toContain('demo-client')
  const events = await fetch(`${url}/_emulator/events`)
  expect(events.headers.get('content-type')).toContain('text/event-stream')
  await events.body?.cancel()
  expect((await fetch(`${url}/_emulator/health`)).status).toBe(200)
  expect(program.written.err).not.toContain('Error')
})
