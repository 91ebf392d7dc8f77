import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startTestEmulator, type TestEmulator } from '../support/emulator.ts'
import { startReceiver } from '../support/receiver.ts'
import { blocksOf } from './guide.ts'

const page = readFileSync('docs/reference/api.md', 'utf8')
const blocks = blocksOf(page)
/** Each command of the page with the answer that stands below it. */
const calls = blocks.flatMap(({ language, text }, index) => {
  const next = blocks[index + 1]
  return language === 'sh' && next?.language === 'json' ? [{ command: text, shown: next.text }] : []
})

const shell = async (command: string) => (await promisify(execFile)('/bin/sh', ['-c', command])).stdout

/** An answer with the types of its values in their place. */
const shapeOf = (json: string): unknown =>
  JSON.parse(json, (_, value: unknown) =>
    typeof value === 'object' && value !== null ? value : `a ${typeof value}`,
  )

test('each command of docs/reference/api.md is answered in the form that the page shows', async () => {
  const receiver = await startReceiver()
  const { url, control } = await startTestEmulator()
  await control('/clients/demo-client', 'PATCH', { webhookUrl: receiver.url })
  const answers: { shown: unknown; given: unknown }[] = []
  for (const { command, shown } of calls) {
    if (command.includes('/crypto-orders')) await completeAndRefund(control)
    const given = await shell(command.replaceAll('http://127.0.0.1:4600', url))
    answers.push({ shown: shapeOf(shown), given: shapeOf(given) })
  }
  expect(answers).toHaveLength(7)
  for (const { shown, given } of answers) expect(given).toEqual(shown)
})

/** Brings about what the lookups of the page show. */
async function completeAndRefund(control: TestEmulator['control']): Promise<void> {
  await control('/clock/advance?clientId=demo-client', 'POST', { by: '10s' })
  const [order] = (await control('/orders?requestId=r1')).items
  await control(`/orders/${order?.orderId}/refunds`, 'POST', { fiatAmount: '3.50' })
}

test('the signature that the page computes is the one of its example', async () => {
  const [signing] = blocks
  expect(signing?.text).toContain('openssl')
  expect(page).toContain(`-H 'signature: ${(await shell(signing?.text ?? '')).trim()}'`)
})

test.each(['control-api', 'settings'])('the commands of docs/reference/%s.md succeed', async (name) => {
  const { url } = await startTestEmulator()
  const text = readFileSync(`docs/reference/${name}.md`, 'utf8').split('<!-- ')[0] ?? ''
  const commands = blocksOf(text).filter(({ language }) => language === 'sh')
  expect(commands).not.toEqual([])
  for (const { text } of commands) {
    // In this test a command prints what it would write into a file.
    const command = text.replaceAll('http://127.0.0.1:4600', url).replaceAll(/ > \S+$/gm, '')
    await shell(`set -e\n${command.replaceAll('curl -s', 'curl --fail -s')}`)
  }
})
