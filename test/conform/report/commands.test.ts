import { spawn } from 'node:child_process'
import { text as textOf } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { resentBy, sentAgain } from '../../../src/conform/report/commands.ts'
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
    sentAgain({ ...sentWebhook, url: receiver.url, headers, body }, emulator),
  )
  await runAll(commands)
  const received = await receiver.received(bodies.length)
  expect(received.map(({ text }) => text)).toEqual(bodies)
  for (const request of received) expect(request.headers).toMatchObject(headers)
})

test('without a content type none is sent', async () => {
  const receiver = await startReceiver()
  await runAll([sentAgain({ ...sentWebhook, url: receiver.url, headers: {} }, emulator)])
  const [request] = await receiver.received(1)
  expect(request?.headers).not.toHaveProperty('content-type')
})

test('a body that nobody wants to paste is asked of the emulator', () => {
  const command = sentAgain({ ...sentWebhook, attempt: 3, body: 'x'.repeat(262_144) }, emulator)
  expect(command.length).toBeLessThan(1_000)
  expect(command).toContain(
    `curl -s '${emulator}/_emulator/deliveries/del_1' | jq -j '.attempts[2].bodyText // .bodyText' |`,
  )
})

test('the call that signs anew names the delivery', () => {
  expect(resentBy(emulator, sentWebhook)).toBe(
    `curl -s -X POST '${emulator}/_emulator/deliveries/del_1/resend'`,
  )
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
