import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startTestEmulator } from '../support/emulator.ts'
import { aFolder } from '../support/folder.ts'
import { blocksOf, missingLine } from './guide.ts'

const run = promisify(execFile)
const page = readFileSync('docs/how-to/fixtures.md', 'utf8')
const [, fromSnapshots = ''] = page.split('\n## Save and restore a snapshot\n')

test('snapshot, reset and settings answer what docs/how-to/fixtures.md shows', async () => {
  const cwd = aFolder()
  const emulator = await startTestEmulator({ fixtures: ['busy-merchant'] })
  const body = blocksOf(page).find(({ mark }) => mark?.value === 'refund-case.yaml')?.text ?? ''
  const headers = { 'content-type': 'application/yaml' }
  const loaded = await fetch(`${emulator.url}/_emulator/fixtures`, { method: 'POST', headers, body })
  expect(loaded.status).toBe(201)
  let printed = ''
  let commands = 0
  for (const { language, text } of blocksOf(fromSnapshots)) {
    if (language === 'json') expect(JSON.parse(printed)).toEqual(JSON.parse(text))
    else if (language === 'text') expect(missingLine(text, printed), printed).toBeNull()
    else {
      // -f: an error status ends the command.
      const script = text
        .replaceAll('http://127.0.0.1:4600', emulator.url)
        .replaceAll(/^curl -s /gm, 'curl -sSf ')
      printed = (await run('/bin/sh', ['-e', '-c', script], { cwd })).stdout
      commands += 1
    }
  }
  expect(commands).toBe(5)
  expect(readFileSync(join(cwd, 'snapshot.json'), 'utf8')).toContain('"demo-client"')
})
