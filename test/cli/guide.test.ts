import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../src/cli/program.ts'
import { aFolder } from '../support/folder.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { startForTest } from './running.ts'

const guide = readFileSync('docs/reference/scenarios.md', 'utf8')
const example = /```yaml\n([\s\S]*?)```/.exec(guide)?.[1] ?? ''
/** The commands of the page, with what it says that they print. */
const commands = [...guide.matchAll(/^\$ payment-order-emulator (.*)\n((?:[^$`].*\n)*)/gm)].map(
  ([, call = '', output = '']) => ({ argv: call.split(' '), output: output.trim() }),
)

function inFolderWithExample(): string {
  const folder = aFolder()
  writeFileSync(join(folder, 'slow-bank.yaml'), example)
  const before = process.cwd()
  onTestFinished(() => process.chdir(before))
  process.chdir(folder)
  return folder
}

test('every command of docs/reference/scenarios.md does what the page says', async () => {
  const { url } = await startForTest()
  inFolderWithExample()
  const called = commands.map(({ argv: [first = ''] }) => first)
  expect(called).toEqual(['check', 'explain', '--scenarios', 'push'])
  for (const { argv, output } of commands) {
    if (argv[0] === '--scenarios') continue
    const terminal = new FakeTerminal()
    expect(
      await run(
        argv.map((word) => word.replace('http://emulator:4600', url)),
        terminal,
      ),
    ).toBe(0)
    expect(terminal.output.join('\n')).toContain(output)
  }
  expect((await fetch(`${url}/_emulator/scenarios/slow-bank`)).status).toBe(200)
})

test('the emulator starts with the example of the page', async () => {
  inFolderWithExample()
  const [path = ''] = commands.flatMap(({ argv: [flag, value] }) => (flag === '--scenarios' ? [value] : []))
  const { url } = await startForTest({ scenarios: [path] })
  expect((await fetch(`${url}/_emulator/scenarios/slow-bank`)).status).toBe(200)
})
