import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { run } from '../../src/cli/program.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { startForTest } from './running.ts'

const page = readFileSync(new URL('../../docs/reference/command-line.md', import.meta.url), 'utf8')

/** Each command of the page, and what it says that this prints. */
const examples = [
  ...page.matchAll(/```sh\npayment-order-emulator (.*)\n```\n(?:\n```text\n([\s\S]*?)```)?/g),
].map(([, call = '', output = '']) => ({ argv: wordsOf(call), output: output.trim() }))

/** A shell's words, as far as the page uses its grammar. */
function wordsOf(call: string): string[] {
  return [...call.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare = '']) => quoted ?? bare)
}

/** These run until they are stopped, run all tests, or need an application, an order or a capture; others try them. */
const notRun = ['--clock', 'conform', 'drift', 'exec', 'explore', 'keep', 'learn', 'listen', 'sweep']

test.each(examples.filter(({ argv: [name = ''] }) => !notRun.includes(name)))(
  '$argv does what the page says',
  async ({ argv, output }) => {
    const { url } = await startForTest()
    const terminal = new FakeTerminal({ EMULATOR_URL: url })
    expect(await run(argv, terminal)).toBe(0)
    expect(terminal.output.join('\n')).toContain(output)
  },
)

test('every command has an example there', () => {
  const named = examples.map(({ argv: [name = ''] }) => name)
  const headings = [...page.matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name)
  expect(named.map((name) => name.replace('--clock', 'serve'))).toEqual(headings)
})
