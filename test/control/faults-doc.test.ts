import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startTestEmulator } from '../support/emulator.ts'

const page = readFileSync('docs/reference/faults.md', 'utf8')
/** Each command of the page, and the answer that stands below it. */
const commands = [...page.matchAll(/^```sh\n([\s\S]*?)^```\n\n```json\n([\s\S]*?)^```/gm)].map(
  ([, command = '', answer = '']) => ({ command, answer }),
)

test('the commands of docs/reference/faults.md answer what the page says', async () => {
  const { url } = await startTestEmulator()
  expect(commands).toHaveLength(6)
  for (const { command, answer } of commands) {
    const { stdout } = await promisify(execFile)('/bin/sh', [
      '-c',
      command.replaceAll('http://127.0.0.1:4600', url),
    ])
    const { id: _, ...expected } = JSON.parse(answer)
    expect(JSON.parse(stdout)).toMatchObject(expected)
  }
})
