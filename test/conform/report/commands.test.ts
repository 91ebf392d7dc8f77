import { spawn } from 'node:child_process'
import { text as textOf } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { resentBy, sentAgain } from '../../../src/conform/report/explanation.ts'
import { startEmulator } from '../../../src/index.ts'
import { startReceiver } from '../../support/receiver.ts'
import { sentWebhook } from '../support/sample-report.ts'

const emulator = 'http://127.0.0.1:4600'

test('every body and header arrives as it was, whatever a shell would make of it', async () => {
  const bodies = [
    '{"it\'s":"$HOME `id` \\\\n %s"}',
    '@/etc/passwd',
    'a\r\nb\n\n',
    '\u0000\u0003\u001b[2Jé€😀\u202e',
    '',
  ]
  const receiver = await startReceiver()
  const headers = { 'content-type': 'text/odd', 'x-quoted': 'it\'s "$HOME"', 'x-empty': '' }
  const commands = bodies.map((body) =>
    String(sentAgain({ ...sentWebhook, url: receiver.url, headers, body }, null)),
  )
  await runAll(commands)
  const received = await receiver.received(bodies.length)
  expect(received.map(({ text }) => text)).toEqual(bodies)
  for (const request of received) expect(request.headers).toMatchObject(headers)
})

test('curl adds no header of its own', async () => {
  const receiver = await startReceiver()
  const headers = { 'user-agent': 'us' }
  await runAll([String(sentAgain({ ...sentWebhook, url: receiver.url, headers }, emulator))])
  const [request] = await receiver.received(1)
  expect(Object.keys(request?.headers ?? {}).toSorted()).toEqual(['content-length', 'host', 'user-agent'])
})

test('a body that nobody wants to paste is asked of the emulator', () => {
  const command = String(sentAgain({ ...sentWebhook, attempt: 3, body: 'x'.repeat(262_144) }, emulator))
  expect(command.length).toBeLessThan(1_000)
  expect(command).toContain(
    `curl -s '${emulator}/_emulator/deliveries/del_1' | jq -j '.attempts[2].bodyText // .bodyText' |`,
  )
})

test('where the emulator cannot be asked, such a body has no command', () => {
  expect(sentAgain({ ...sentWebhook, body: 'x'.repeat(262_144) }, null)).toBeNull()
})

test('after the run, the emulator sends once more to the application, signed as it verifies', async () => {
  const world = await startEmulator({ port: 0 })
  onTestFinished(() => world.close())
  const receiver = await startReceiver()
  const client = await world.createClient({ webhookUrl: receiver.url })
  await client.createCheckoutOrder()
  const [before] = await receiver.received(1)
  const [delivery] = await client.deliveries.list()
  await client.change({ webhookUrl: null })
  const sent = { ...sentWebhook, url: receiver.url, deliveryId: delivery?.id ?? '' }
  await runAll([resentBy(world.url, sent, { clientId: client.clientId, webhookSignature: 'standard' })])
  const [, again] = await receiver.received(2)
  expect(again?.text).toBe(before?.text)
  expect(again?.headers).toHaveProperty('webhook-signature')
})

/** In one shell, one after the other. */
async function runAll(commands: readonly string[]): Promise<void> {
  const shell = spawn('/bin/sh', ['-e', '-c', commands.join('\n')], { stdio: ['ignore', 'ignore', 'pipe'] })
  const [said, status] = await Promise.all([
    textOf(shell.stderr),
    new Promise((resolve) => shell.on('close', resolve)),
  ])
  expect(status, said).toBe(0)
}
