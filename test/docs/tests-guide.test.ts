import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { run as runProgram } from '../../src/cli/program.ts'
import { FakeTerminal } from '../cli/fake-terminal.ts'
import { TestClient } from '../support/client.ts'
import { startTestEmulator } from '../support/emulator.ts'
import { EventStream } from '../support/event-stream.ts'

const [, document = ''] = readFileSync('docs/how-to/tests.md', 'utf8').split('\n## The same from a shell\n')
const examples = [...document.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, text = '']) => text)
const shell = promisify(execFile)

/** The one example that contains a text, for this emulator. */
function example(containing: string, url: string): string {
  const [only, ...others] = examples.filter((text) => text.includes(containing))
  if (only === undefined || others.length > 0) throw new Error(`not exactly one example with ${containing}`)
  return only.replace('http://127.0.0.1:4600', url)
}

async function curl(containing: string, url: string): Promise<unknown> {
  const { stdout } = await shell('/bin/sh', ['-c', example(containing, url).replace('curl', 'curl -s')])
  return JSON.parse(stdout)
}

/** An emulator whose demo client has an order, whose events are listened to. */
async function started() {
  const emulator = await startTestEmulator()
  const credentials = { clientId: 'demo-client', apiSecret: 'demo-secret', accessToken: 'demo-token' }
  const demo = new TestClient(emulator, { ...credentials, webhookSecret: '' })
  await demo.createCheckout('order-1')
  return { emulator, demo }
}

test('the shell examples of docs/how-to/tests.md do what it says', async () => {
  const { emulator, demo } = await started()
  const events = await EventStream.open(`${emulator.url}/_emulator/events`)
  const completed = curl('/wait ', emulator.url)
  const ledger = await curl('/clock/advance', emulator.url)
  const completion = expect.objectContaining({ what: 'order', to: 'COMPLETED' })
  expect(ledger).toHaveProperty('transitions', expect.arrayContaining([completion]))
  expect(await completed).toEqual(await demo.order('order-1'))
  expect(await curl('/requests/verify', emulator.url)).toEqual({ count: 1 })
  expect(await curl('/orders?', emulator.url)).toMatchObject({ items: [{ requestId: 'order-1' }] })
  await events.first('order', ({ orderStatus }) => orderStatus === 'COMPLETED')
})

test('its commands end with 0', async () => {
  const { emulator, demo } = await started()
  await demo.advance('5s')
  const commands = example('npm start -- wait', emulator.url).trim().split('\n')
  expect(commands).toHaveLength(2)
  for (const command of commands) {
    const terminal = new FakeTerminal({ EMULATOR_URL: emulator.url })
    expect(await runProgram(command.split(' ').slice(3), terminal)).toBe(0)
  }
})

test('every example is one of those', () => {
  expect(examples).toHaveLength(6)
})
