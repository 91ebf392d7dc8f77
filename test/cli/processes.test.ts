import { readdirSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { version } from '../../src/app/package.ts'
import { aFolder } from '../support/folder.ts'
import { create, startForTest } from './running.ts'
import { serverFor } from './servers.ts'
import { spawnProgram } from './spawned.ts'

const readyUrl = /"event":"ready","url":"([^"]+)"/

test('off a terminal the log is JSON, and SIGTERM ends the emulator with 0 and leaves the database file alone', async () => {
  const folder = aFolder()
  const program = spawnProgram(['--port', '0', '--database', join(folder, 'e.db')])
  const [, url = ''] = await program.wrote(readyUrl)
  expect((await create(url, 'r1')).status).toBe(200)
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  expect(program.written.err).toBe('')
  const events = program.written.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).event)
  expect([events.at(0), events.at(-1)]).toEqual(['ready', 'stopping'])
  expect(readdirSync(folder)).toEqual(['e.db'])
})

test('SIGHUP leaves the database file alone in its folder', async () => {
  const folder = aFolder()
  const program = spawnProgram(['--port', '0', '--database', join(folder, 'e.db')])
  const [, url = ''] = await program.wrote(readyUrl)
  expect((await create(url, 'r1')).status).toBe(200)
  program.child.kill('SIGHUP')
  expect(await program.ended).toBe(0)
  expect(program.written.out).toContain('"event":"stopping","why":"SIGHUP"')
  expect(readdirSync(folder)).toEqual(['e.db'])
})

test('a signal that comes twice counts once, and the delivery in flight is finished', async () => {
  const asked = Promise.withResolvers<ServerResponse>()
  const receiver = await serverFor((_, response) => asked.resolve(response))
  const program = spawnProgram(['--port', '0', '--webhook-url', receiver.url])
  const [, url = ''] = await program.wrote(readyUrl)
  await create(url, 'r1')
  const answer = await asked.promise
  program.child.kill('SIGINT')
  await program.wrote(/"event":"stopping","why":"SIGINT"/)
  program.child.kill('SIGINT')
  program.child.kill('SIGTERM')
  answer.end()
  expect(await program.ended).toBe(0)
  expect(program.written.out).toMatch(/"event":"delivery".*"outcome":"accepted"/)
})

test('SIGTERM ends streams of events and waits at once', async () => {
  const program = spawnProgram(['--port', '0'])
  const [, url = ''] = await program.wrote(readyUrl)
  const stream = await fetch(`${url}/_emulator/events`)
  const waiting = fetch(`${url}/_emulator/wait`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"for":"order"}',
  })
  await fetch(`${url}/_emulator/health`)
  program.child.kill('SIGTERM')
  expect((await waiting).status).toBe(503)
  // It would fail if the stream were cut, as what hangs is after some seconds.
  expect(await stream.text()).not.toBe('')
  expect(await program.ended).toBe(0)
})

test('the end of the launcher ends the emulator', async () => {
  const program = spawnProgram(['--port', '0', '--log', 'pretty'], { channel: true })
  await program.wrote(/^Ready\.$/m)
  program.child.disconnect()
  expect(await program.ended).toBe(0)
  expect(program.written.out).toContain('stopping (its parent process has ended)')
})

test('a bug that nobody caught is told with its stack and ends with 1', async () => {
  const before = 'process.on("SIGUSR2", () => { throw new Error("boom") })'
  const program = spawnProgram(['--port', '0'], { before })
  await program.wrote(readyUrl)
  program.child.kill('SIGUSR2')
  expect(await program.ended).toBe(1)
  expect(JSON.parse(program.written.err)).toMatchObject({
    level: 'error',
    event: 'error',
    message: 'boom',
    stack: expect.stringContaining('data:text/javascript'),
  })
})

test('a taken port ends with 2 and one line', async () => {
  const { port } = await serverFor((_, answer) => answer.end('hello'))
  const program = spawnProgram(['--port', String(port)])
  expect(await program.ended).toBe(2)
  expect(program.written).toEqual({
    out: '',
    err: `error: port ${port} is in use; stop the program that uses it, or choose another port with \`--port\` (\`--port 0\` picks a free one)\n`,
  })
})

test('a port that an emulator has is told with its process and its dashboard', async () => {
  const { url } = await startForTest({ controlToken: 'hush' })
  const port = new URL(url).port
  const program = spawnProgram(['--port', port, '--host', '0.0.0.0'])
  expect(await program.ended).toBe(2)
  const words = `port ${port} is in use by another emulator (version ${version}, pid ${process.pid}, dashboard ${url}/_emulator/)`
  expect(program.written).toEqual({ out: '', err: expect.stringContaining(words) })
})

test('a silent start that is refused still says why', async () => {
  const program = spawnProgram(['--port', '0', '--log', 'silent', '--database', '/'])
  expect(await program.ended).toBe(2)
  expect(program.written).toEqual({ out: '', err: expect.stringMatching(/^error: The database "\/".*\n$/) })
})

test('listen ends with 0 on SIGINT, also while it waits for an emulator', async () => {
  const { url } = await startForTest()
  const listening = spawnProgram(['listen', '--port', '0', '--url', url])
  const waiting = spawnProgram(['listen', '--port', '0', '--url', 'http://127.0.0.1:1'])
  await listening.wrote(/^Ready\.$/m)
  await waiting.wrote(/^waiting for the emulator/m)
  listening.child.kill('SIGINT')
  waiting.child.kill('SIGINT')
  expect(await Promise.all([listening.ended, waiting.ended])).toEqual([0, 0])
})
