import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HiddenValues } from '../../src/cli/conform/hidden-values.ts'
import { run } from '../../src/cli/program.ts'
import { aFolder } from '../support/folder.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { startForTest } from './running.ts'

const hiding = (value: string, path: readonly string[] = ['start', 'body']) =>
  new HiddenValues([{ name: 'SECRET', value, path: [...path] }])

test.each([
  ['pw-"1"-é', 'POST / with {"password":"pw-\\"1\\"-é"}', 'as JSON has it'],
  ['pw-"1"-é', 'GET /?key=pw-%221%22-%C3%A9', 'as a URL has it'],
  ['a long secret', 'POST / with {"password":"a long se…', 'cut off'],
])('%j is not told in %j: %s', (value, text) => {
  const shown = hiding(value).in(text)
  expect(shown).toContain('${SECRET}')
  expect(shown).not.toMatch(/pw-|a long/)
})

test.each([
  ['http://shop.test:3000', ['start', 'url'], 'where something listens'],
  ['shipped', ['probe', 'statuses', 'COMPLETED'], 'a word of the application'],
  ['3000', ['start', 'url'], 'a port'],
])('%j of %j is told: %s', (value, path) => {
  expect(hiding(value, path).in(`it said ${value}`)).toBe(`it said ${value}`)
})

test('a command to paste has the value of the variable in it', () => {
  const command = hiding("it's a secret").inCommand(`printf %s 'before it'\\''s a secret after'`)
  expect(command).not.toContain('a secret')
  const { stdout } = spawnSync('/bin/sh', ['-c', command], { env: { SECRET: "it's a secret" } })
  expect(String(stdout)).toBe("before it's a secret after")
})

test('passwords from the environment stand in no form of the report', async () => {
  const { url } = await startForTest()
  const folder = aFolder()
  const [file, junit, html] = ['conform.yaml', 'r.xml', 'r.html'].map((name) => join(folder, name))
  if (file === undefined || junit === undefined || html === undefined) throw new Error('three names')
  writeFileSync(
    file,
    `webhookUrl: http://127.0.0.1:9/hooks
settle: 1ms
patience: 20ms
start:
  url: http://127.0.0.1:9/login?api_key=\${SHOP_TOKEN}
  body: { password: "\${SHOP_PASSWORD}" }
`,
  )
  const env = { SHOP_TOKEN: 'tok-SECRET', SHOP_PASSWORD: 'pw-SECRET', EMULATOR_URL: url }
  const forms: string[] = []
  for (const argv of [[], ['--json', '--junit', junit, '--html', html]]) {
    const terminal = new FakeTerminal(env)
    expect(await run(['conform', file, '--only', 'K01', ...argv], terminal)).toBe(2)
    forms.push([...terminal.output, ...terminal.errors].join('\n'))
  }
  forms.push(readFileSync(junit, 'utf8'), readFileSync(html, 'utf8'))
  for (const text of forms) {
    expect(text).toContain('${SHOP_TOKEN}')
    expect(text).not.toContain('-SECRET')
  }
})

test('what is wrong with a file is told in every form that was asked for', async () => {
  const folder = aFolder()
  const file = join(folder, 'conform.yaml')
  const junit = join(folder, 'r.xml')
  writeFileSync(file, 'setle: 1s\n')
  const terminal = new FakeTerminal({ EMULATOR_URL: 'http://127.0.0.1:9' })
  expect(await run(['conform', file, '--json', '--junit', junit], terminal)).toBe(2)
  expect(JSON.parse(terminal.output.join(''))).toMatchObject({
    ok: false,
    problems: [{ member: `${file}:1:1`, message: expect.stringContaining('did you mean `settle`') }],
    cases: [],
  })
  expect(readFileSync(junit, 'utf8')).toContain('errors="1"')
  expect(terminal.errors.join()).toContain(`${file}:1:1: unknown key`)
})
