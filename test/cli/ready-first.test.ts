import { expect, test } from 'vitest'
import { createLog, readyFirst } from '../../src/cli/log/log.ts'
import { startFacts } from '../../src/cli/serve/start-text.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { create, startForTest } from './running.ts'

test('what happens before it is said that the port is open is said after it, in order', async () => {
  const terminal = new FakeTerminal()
  const log = readyFirst(createLog('json', terminal, 'demo-client'))
  const happened: string[] = []
  const { emulator, config, url } = await startForTest({ clock: 'manual' }, (event) => {
    happened.push(event.type)
    log.event(event)
  })
  await create(url, 'r1')
  await create(url, 'r2')
  await expect.poll(() => happened.filter((type) => type === 'request')).toHaveLength(2)
  expect(terminal.output).toEqual([])
  log.ready(startFacts(emulator, config, url, { env: {}, keys: false }))
  await create(url, 'r3')
  await terminal.written(/"event":"request".*"requestId":"r3"/)
  const lines = terminal.output.map((line): { event: string; requestId?: string } => JSON.parse(line))
  expect(lines[0]?.event).toBe('ready')
  const requests = lines.filter(({ event }) => event === 'request')
  expect(requests.map(({ requestId }) => requestId)).toEqual(['r1', 'r2', 'r3'])
})

test('what a reset has ended before it is said that the port is open is said, too', async () => {
  const terminal = new FakeTerminal()
  const log = readyFirst(createLog('json', terminal, 'demo-client'))
  const { emulator, config, url } = await startForTest({ clock: 'manual' }, log.event)
  await create(url, 'r1')
  await fetch(`${url}/_emulator/reset`, { method: 'POST' })
  log.ready(startFacts(emulator, config, url, { env: {}, keys: false }))
  await terminal.written(/"change":"reset"/)
  const lines = terminal.output.map((line): { event: string; requestId?: string } => JSON.parse(line))
  expect(lines.map(({ event }) => event)).toEqual([
    ...['ready', 'order', 'delivery-skipped', 'request', 'world'],
  ])
  expect(lines[3]?.requestId).toBe('r1')
})

test('what happened before an error is said before it, though nothing was ever ready', async () => {
  const terminal = new FakeTerminal()
  const log = readyFirst(createLog('pretty', terminal, 'demo-client'))
  log.event({ type: 'reset', clientId: undefined })
  expect(terminal.output).toEqual([])
  terminal.out = terminal.err
  log.error(new Error('broken'))
  expect(terminal.errors[0]).toMatch(/world of all clients reset$/)
  expect(terminal.errors[1]).toContain('broken')
})
