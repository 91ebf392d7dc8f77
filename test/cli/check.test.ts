import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { codeFrame } from '../../src/cli/check/check.ts'
import { run } from '../../src/cli/program.ts'
import { aFolder } from '../support/folder.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { spawnProgram } from './spawned.ts'

const right = 'id: right\ndescription: d\ntimeline: []\n'

/** A folder with some files in it. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = aFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

async function check(...argv: string[]) {
  const terminal = new FakeTerminal()
  const exitCode = await run(['check', ...argv], terminal)
  return { exitCode, out: terminal.output.join('\n'), err: terminal.errors.join('\n') }
}

test('right files are counted on one line, and the exit code is 0', async () => {
  const folder = folderWith({ 'right.yaml': right, 'settings.yml': 'orders.expiry: 3m\n' })
  expect(await check(folder)).toEqual({
    exitCode: 0,
    out: '1 scenario file, 1 settings file: no problems',
    err: '',
  })
})

test('what a folder holds besides YAML files is named once, in one line', async () => {
  const others = Array.from({ length: 12 }, (_, n) => `note-${10 + n}.txt`)
  const folder = folderWith({
    'right.yaml': right,
    ...Object.fromEntries(others.map((name) => [name, ''])),
    '._right.yaml': '\u0000',
    '.git/x.yaml': '{',
  })
  const { exitCode, out, err } = await check(folder, folder)
  expect([exitCode, out]).toEqual([0, '1 scenario file: no problems'])
  expect(err.replaceAll(`${folder}/`, '')).toBe(
    `warning: ignored ${others.slice(0, 10).join(', ')} and 2 more; in a folder, only .yaml and .yml files are read`,
  )
})

test('two scenarios with one id in a folder are an error that names both; fixtures may be called alike', async () => {
  const shop = 'clients: [{ clientId: shop }]\n'
  const folder = folderWith({
    'right.yaml': right,
    'sub/right.yml': right,
    'a/s.yaml': shop,
    'b/s.yaml': shop,
  })
  const { exitCode, out } = await check('--json', folder)
  expect(exitCode).toBe(1)
  const wrong = JSON.parse(out).files.filter((file: { problems: unknown[] }) => file.problems.length > 0)
  expect(wrong).toMatchObject([
    {
      file: join(folder, 'sub/right.yml'),
      problems: [{ message: expect.stringContaining(join(folder, 'right.yaml')) }],
    },
  ])
})

test('everything that is wrong in all files is told, each with its line and a caret', async () => {
  const folder = folderWith({
    'a.yaml':
      'id: a\ndescription: d\ntimeline:\n  - { atr: 2s, pay: completed }\n  - { at: 2s, pay: complete }\n',
    'deeper/b.yaml': 'webhook:\n  tiemout: 2s\n',
  })
  const { exitCode, out } = await check(folder)
  expect(exitCode).toBe(1)
  expect(out.replaceAll(`${folder}/`, '').split('\n')).toEqual([
    'a.yaml:4:7: unknown key `atr`; did you mean `at`?',
    '  4 |   - { atr: 2s, pay: completed }',
    '    |       ^',
    '',
    expect.stringMatching(/^a\.yaml:5:20: expected .*; did you mean `completed`\?$/),
    '  5 |   - { at: 2s, pay: complete }',
    '    |                    ^',
    '',
    'deeper/b.yaml:2:3: unknown setting `webhook.tiemout`; did you mean `webhook.timeout`?',
    '  2 |   tiemout: 2s',
    '    |   ^',
    '',
    '3 problems in 2 files',
  ])
})

test('all that ships is right', async () => {
  const { out } = await check('scenarios', 'fixtures')
  expect(out).toMatch(/^\d\d scenario files, \d fixture files: no problems$/)
})

test('--json tells the same as JSON', async () => {
  const folder = folderWith({ 'a.yaml': 'id: a\n', 'right.yaml': right })
  const { exitCode, out } = await check('--json', folder)
  expect(exitCode).toBe(1)
  expect(JSON.parse(out)).toEqual({
    ok: false,
    files: [
      {
        file: join(folder, 'a.yaml'),
        kind: 'scenario',
        problems: [
          { line: 1, column: 1, message: '`description` is missing' },
          { line: 1, column: 1, message: '`timeline` is missing' },
        ],
      },
      { file: join(folder, 'right.yaml'), kind: 'scenario', problems: [] },
    ],
  })
})

test.each([
  ['misspelt.yaml', 'descripton: d\ntimline: []\n', 'scenario'],
  ['misspelt.yaml', 'webhok: { timeout: 2s }\n', 'settings'],
  ['shop.yaml', 'clients: [{ clientId: shop }]\n', 'fixture'],
  ['settings.yaml', '', 'settings'],
  ['settings/local.yaml', '{ [', 'settings'],
  ['scenarios/x.yaml', '- a list', 'scenario'],
  ['x.yaml', '', 'scenario'],
])('%s with %j is taken for a %s file', async (name, text, kind) => {
  const file = join(folderWith({ [name]: text }), name)
  const { out } = await check('--json', file)
  expect(JSON.parse(out).files).toMatchObject([{ kind }])
})

test.each([
  [[], "error: missing required argument 'files'"],
  [['/nowhere.yaml'], 'error: there is no file or folder "/nowhere.yaml"'],
  [['--colour', 'x'], "error: unknown option '--colour'"],
])('check %j ends with 2', async (argv, message) => {
  const { exitCode, err } = await check(...argv)
  expect(exitCode).toBe(2)
  expect(err).toContain(message)
})

test('a file of some MiB is right, one of more than 16 MiB ends with 2', async () => {
  const comments = (mebibytes: number) => `# ${'x'.repeat(1024 * 1024 * mebibytes)}`
  expect(await check(folderWith({ 'right.yaml': `${right}${comments(8)}` }))).toMatchObject({ exitCode: 0 })
  const { exitCode, err } = await check(folderWith({ 'large.yaml': `${right}${comments(16)}` }))
  expect(exitCode).toBe(2)
  expect(err).toMatch(/large\.yaml": it is larger than 16 MiB; split it$/)
})

test('a folder without YAML files ends with 2', async () => {
  const { exitCode, err } = await check(folderWith({ 'x.txt': '' }))
  expect(exitCode).toBe(2)
  expect(err).toContain('contains no .yaml or .yml file')
})

test('colours change nothing else, and control characters of a file do not reach the terminal', () => {
  const problem = { file: 'x.yaml', line: 2, column: 3, message: 'is wrong' }
  const text = 'id: x\n\t\u001b[2Jy: 1\n'
  const coloured = codeFrame(problem, text, true)
  expect(coloured).not.toBe(codeFrame(problem, text, false))
  expect(stripVTControlCharacters(coloured)).toBe(codeFrame(problem, text, false))
  expect(codeFrame(problem, text, false)).toBe('x.yaml:2:3: is wrong\n  2 |   [2Jy: 1\n    |   ^')
})

test('a place far to the right is shown with what is around it', () => {
  const problem = { file: 'x.yaml', line: 1, column: 300, message: 'is wrong' }
  const [, source = '', caret = ''] = codeFrame(
    problem,
    `${'x'.repeat(299)}!${'y'.repeat(500)}`,
    false,
  ).split('\n')
  expect(source.length).toBeLessThan(120)
  expect(source[caret.indexOf('^')]).toBe('!')
})

test('off a terminal there are no colours', async () => {
  const file = join(folderWith({ 'a.yaml': 'id: a\n' }), 'a.yaml')
  const { ended, written } = spawnProgram(['check', file])
  expect(await ended).toBe(1)
  expect(written.out).toContain('a.yaml:1:1: ')
  expect(stripVTControlCharacters(written.out)).toBe(written.out)
})

test('a story is known by its acts, and checked as one', async () => {
  const folder = folderWith({
    'right.yaml': 'promise: released-once\nacts: [create, pay]\n',
    'wrong.yaml': 'promise: released-once\nacts: [create, let webhooks go]\n',
  })
  expect(await check(join(folder, 'right.yaml'))).toMatchObject({
    exitCode: 0,
    out: '1 story file: no problems',
  })
  expect(await check(join(folder, 'wrong.yaml'))).toMatchObject({
    exitCode: 1,
    out: expect.stringContaining(
      'wrong.yaml:2:16: `let webhooks go` is not possible here: no webhooks are held',
    ),
  })
})
