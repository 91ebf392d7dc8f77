import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { run } from '../../src/cli/program.ts'
import type { Environment } from '../../src/cli/terminal.ts'
import { aFolder } from '../support/folder.ts'
import { FakeTerminal } from './fake-terminal.ts'

const body = '{"requestId":"r1"}'

async function signed(argv: readonly string[], env: Environment = {}) {
  const terminal = new FakeTerminal(env)
  const exitCode = await run(['sign', body, ...argv], terminal)
  return { exitCode, out: terminal.output.join('\n'), err: terminal.errors.join('\n') }
}

function settingsFile(text: string): string {
  const file = join(aFolder(), 'pay.yaml')
  writeFileSync(file, text)
  return file
}

const recipe =
  "webhook.signature: { header: x-pay, format: 't=${timestamp},v1=${signature}', signed: '${timestamp}.${body}' }"

test('a webhook is signed as Standard Webhooks by default', async () => {
  const { out } = await signed(['--webhook', '--json'])
  const { headers } = JSON.parse(out)
  expect(new Webhook('whsec_ZGVtby13ZWJob29rLXNlY3JldA==').verify(body, headers)).toEqual({ requestId: 'r1' })
})

test('a webhook is signed by the recipe of a settings file, with the secret that it names', async () => {
  const { out, exitCode } = await signed(
    ['--webhook', '--settings', settingsFile(recipe), '--timestamp', '2026-04-21T16:00:00Z'],
    { PAYMENT_ORDER_WEBHOOK_SECRET: 'whsec_b3duLXNlY3JldA==' },
  )
  const content = `1776787200.${body}`
  const signature = createHmac('sha256', 'whsec_b3duLXNlY3JldA==').update(content).digest('hex')
  expect(exitCode).toBe(0)
  expect(out).toBe(`string to sign  ${content}\nx-pay: t=1776787200,v1=${signature}`)
})

test('the body becomes the claims of a token where the settings say so', async () => {
  const file = settingsFile('webhook: { auth: none, format: jwt, jwt: { member: token, jti: true } }')
  const { out } = await signed(['--webhook', '--settings', file, '--id', 'e1', '--json'])
  const { token } = JSON.parse(JSON.parse(out).body)
  expect(JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())).toEqual({
    requestId: 'r1',
    jti: 'e1',
  })
})

test.each([
  [['--webhook', '--timestamp', 'soon'], /--timestamp: expected ISO 8601/],
  [['--settings', 'pay.yaml'], /--settings needs --webhook/],
  [['--webhook', '--settings', 'no-such-file.yaml'], /cannot read the settings file/],
])('%j is refused', async (argv, words) => {
  const { exitCode, err } = await signed(argv)
  expect([exitCode, err]).toEqual([2, expect.stringMatching(words)])
})

test('a recipe that cannot verify is refused with line and column, and a secret that is no key too', async () => {
  const unsigned = settingsFile("webhook.signature:\n  header: x-pay\n  signed: '${timestamp}'\n")
  expect((await signed(['--webhook', '--settings', unsigned])).err).toMatch(
    /pay\.yaml:3:\d+: .*needs `\$\{body\}`/,
  )
  const hex = settingsFile('webhook.signature: { header: x-pay, secretAs: hex }')
  expect((await signed(['--webhook', '--settings', hex])).err).toMatch(/reads the webhookSecret as hex/)
})
