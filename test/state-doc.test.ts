import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startTestEmulator } from './support/emulator.ts'
import { aFolder } from './support/folder.ts'

const document = readFileSync('docs/how-to/state.md', 'utf8')
const blocks = [...document.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map((match) => match[1] ?? '')

const run = promisify(execFile)

test('the commands of docs/how-to/state.md work one after the other, as they stand there', async () => {
  const emulator = await startTestEmulator()
  const cwd = aFolder()
  const answers: string[] = []
  for (const block of blocks) {
    // -f: an error status ends the command.
    const script = block
      .replaceAll('http://127.0.0.1:4600', emulator.url)
      .replaceAll(/^curl /gm, 'curl -sSf ')
    const { stdout } = await run('/bin/sh', ['-e', '-c', script], { cwd })
    answers.push(stdout)
  }
  expect(answers).toHaveLength(5)
  expect(answers[0]).toContain('"effective"')
  expect(answers[1]).toContain('"signature.checkout":"client"')
  expect(answers[2]).toBe('{"reset":"all"}{"reset":"all"}{"reset":"demo-client"}')
  expect(answers[3]).toBe('{"restored":"all","clients":["demo-client"]}')
  expect(answers[4]).toBe('{"restored":"demo-client","clients":["demo-client"]}')
  expect(readFileSync(join(cwd, 'snapshot.json'), 'utf8')).toContain('"demo-client"')
})
