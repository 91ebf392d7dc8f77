import { expect, test } from 'vitest'
import { createLog } from '../../src/cli/log/log.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { create, startForTest } from './running.ts'

test('in a container, a webhook to localhost that nobody takes is explained in log, record and dashboard', async () => {
  const terminal = new FakeTerminal()
  const log = createLog('pretty', terminal, 'demo-client')
  const webhookUrl = 'http://127.0.0.1:1/hook'
  const { url } = await startForTest({ place: 'container', clock: 'manual', webhookUrl }, log.event)
  await create(url, 'r1')
  const advice = /ECONNREFUSED 127\.0\.0\.1:1; the emulator runs in a container .*host\.docker\.internal/
  const line = await terminal.written(/webhook CREATED/)
  expect(line.split('\n')).toEqual([
    expect.stringMatching(
      /connection: connect ECONNREFUSED 127\.0\.0\.1:1 \(attempt 1, \d+ ms\); next attempt/,
    ),
    expect.stringMatching(/^ {13}hint: the emulator runs in a container .*host\.docker\.internal$/),
  ])
  const deliveries: unknown = await (await fetch(`${url}/_emulator/deliveries`)).json()
  expect(deliveries).toMatchObject({ items: [{ attempts: [{ error: expect.stringMatching(advice) }] }] })
  const [id = ''] = /del_\w+/.exec(JSON.stringify(deliveries)) ?? []
  const page = await fetch(`${url}/_emulator/ui/deliveries/${id}`)
  expect(await page.text()).toMatch(advice)
})
