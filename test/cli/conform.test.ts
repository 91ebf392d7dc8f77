import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { exitCodeOf } from '../../src/cli/conform/conform.ts'
import { problemsText, readConformFlags, repeatCommand } from '../../src/cli/conform/options.ts'
import { run } from '../../src/cli/program.ts'
import { programCall } from '../../src/cli/program-call.ts'
import type { Environment } from '../../src/cli/terminal.ts'
import { readYaml } from '../../src/domain/text/yaml-source.ts'
import { sampleCases, sampleReport } from '../conform/support/sample-report.ts'
import { aFolder } from '../support/folder.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { startForTest } from './running.ts'

async function conform(argv: readonly string[], env: Environment = {}) {
  const terminal = new FakeTerminal(env)
  const exitCode = await run(['conform', ...argv], terminal)
  return { exitCode, out: terminal.output.join('\n'), err: terminal.errors.join('\n') }
}

const nowhere = 'http://127.0.0.1:9'

test('--init writes a file in which check finds nothing wrong, and says what to do next', async () => {
  const file = join(aFolder(), 'deeper', 'conform.yaml')
  const { exitCode, out } = await conform(['--init', file])
  expect({ exitCode, out }).toEqual({ exitCode: 0, out: expect.stringContaining(`check ${file}`) })
  const terminal = new FakeTerminal()
  expect(await run(['check', file], terminal)).toBe(0)
  expect(terminal.output).toEqual(['1 conform file: no problems'])
})

test('the start call that --init writes takes prices and carts', async () => {
  const file = join(aFolder(), 'conform.yaml')
  await conform(['--init', file])
  const text = readFileSync(file, 'utf8')
  for (const value of ['amount: "{amount}"', 'cart: "{cart}"']) expect(text).toContain(`    ${value}\n`)
})

test.each([
  [{}, 'payment-order-emulator'],
  [{ npm_lifecycle_event: 'npx' }, 'npx payment-order-emulator'],
  [{ npm_lifecycle_event: 'start' }, 'npm start --'],
])(
  'the commands that follow --init, or a missing file, run as the program was called: %j',
  async (env, call) => {
    const file = join(aFolder(), 'conform.yaml')
    expect((await conform([file], env)).err).toContain(`  ${call} conform --init `)
    const { out } = await conform(['--init', file], env)
    for (const word of ['status --env', `check ${file}`, `conform ${file}`])
      expect(out).toContain(` ${call} ${word}`)
    expect(out).toMatch(new RegExp(` ${call.replace(/ --$/, '')}$`, 'm'))
  },
)

test.each([
  [{}, 'payment-order-emulator'],
  [{ npm_lifecycle_event: 'start' }, 'npm start --'],
])('a case is repeated as the program was called: %j', (env, call) => {
  const options = readConformFlags({ named: 'it.yaml', command: ['npm', 'start'] }, {}, env)
  expect(repeatCommand(programCall(env), ['K08'], 'seed', options)).toBe(
    `${call} conform it.yaml --only K08 --seed seed -- npm start`,
  )
})

test('--init names the schema as editors look for it: from the folder of the file', async () => {
  const before = process.cwd()
  onTestFinished(() => process.chdir(before))
  process.chdir(aFolder())
  const schema = 'node_modules/payment-order-emulator/conform/schema.json'
  for (const [file, path] of [
    ['conform.yaml', schema],
    ['test/it/conform.yaml', `../../${schema}`],
  ] as const) {
    await conform(['--init', file])
    expect(readFileSync(file, 'utf8').split('\n')[0]).toBe(`# yaml-language-server: $schema=${path}`)
  }
})

test('what --init leaves out of use is right as well, once it is put to use', async () => {
  const file = join(aFolder(), 'conform.yaml')
  await conform(['--init', file])
  const text = readFileSync(file, 'utf8').replaceAll(/^( *)# (?=\w+:| {2}\w+:)/gm, '$1')
  expect(text).toMatch(/^startSubscription:\n {2}url/m)
  expect(text).toMatch(/^cancel:\n {2}url/m)
  writeFileSync(file, text)
  expect(await run(['check', file], new FakeTerminal())).toBe(0)
})

test('--init writes over nothing unless it is forced to', async () => {
  const file = join(aFolder(), 'conform.yaml')
  writeFileSync(file, 'client: mine\n')
  expect(await conform(['--init', file])).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('--force'),
  })
  expect(readFileSync(file, 'utf8')).toBe('client: mine\n')
  expect(await conform(['--init', file, '--force'])).toMatchObject({ exitCode: 0 })
})

test.each([
  [['nowhere.yaml'], /no file "nowhere.yaml"[\s\S]*--init/],
  [['--only', 'K08,K77'], /--only: unknown case "K77"; expected K01 to K58/],
  [['--only', 'K99'], /--only: unknown case "K99"; expected K01 to K58/],
  [['--only', 'K8'], /did you mean `K08`/],
  [['--level', 'may'], /must, should/],
  [['--settle', '5'], /--settle: .*write 5s/],
  [['--webhook-url', 'localhost:3000'], /--webhook-url: must be an absolute/],
  [['--only', 'K03', '--level', 'must'], /no case is left to run: none of K03 has the level MUST/],
  [['--require-seen', 'half'], /--require-seen: expected a percentage from 0 to 100, like 50, not "half"/],
  [['--require-seen', '101'], /--require-seen: expected a percentage .*, not "101"/],
  [['--require-seen=-1'], /--require-seen: expected a percentage .*, not "-1"/],
  [['--require-seen', ''], /--require-seen: expected a percentage .*, not ""/],
  [['--force'], /`--force` works only with `--init`/],
  [['a.yaml', 'b.yaml'], /too many arguments/],
])('%s is wrong usage', async (argv, message) => {
  expect(await conform(argv, { EMULATOR_URL: nowhere })).toMatchObject({
    exitCode: 2,
    err: expect.stringMatching(message),
  })
})

test('a wrong configuration is told with its place before anything is called', async () => {
  const file = join(aFolder(), 'conform.yaml')
  writeFileSync(file, 'webhookUrl: ${SHOP}\nsetle: 1s\n')
  const { exitCode, err } = await conform([file], { EMULATOR_URL: nowhere })
  expect(exitCode).toBe(2)
  expect(err).toContain(`${file}:1:13: the environment variable SHOP is not set`)
  expect(err).toContain(`${file}:2:1: unknown key \`setle\`; did you mean \`settle\`?`)
})

test('an emulator that is not there ends it with 1', async () => {
  expect(await conform(['--webhook-url', 'http://a.test', '--url', nowhere])).toMatchObject({
    exitCode: 1,
    err: expect.stringContaining(nowhere),
  })
})

test('an emulator that asks for a token says so', async () => {
  const { url } = await startForTest({ controlToken: 'key' })
  expect(await conform(['--webhook-url', 'http://a.test', '--url', url])).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('--control-token'),
  })
})

test('a file of results that cannot be written is told before the run', async () => {
  const file = join(aFolder(), 'file')
  writeFileSync(file, '')
  const { exitCode, err } = await conform(['--webhook-url', 'http://a.test', '--junit', join(file, 'x.xml')])
  expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringContaining('cannot write') })
  expect(existsSync(join(file, 'x.xml'))).toBe(false)
})

test('so is one that is a folder', async () => {
  const { exitCode, err } = await conform(['--webhook-url', 'http://a.test', '--html', aFolder()])
  expect({ exitCode, err }).toEqual({
    exitCode: 2,
    err: expect.stringContaining('EISDIR'),
  })
})

test('what failed counts, though the configuration turned out to be wrong on the way', () => {
  const problem = { member: 'probe.statuses', message: 'a new word' }
  const [passed, failed] = sampleCases
  const reports = [
    sampleReport([], [problem]),
    sampleReport(passed && [passed], [problem]),
    sampleReport(failed && [failed], [problem]),
  ]
  expect(reports.map((report) => exitCodeOf(report, false))).toEqual([2, 2, 1])
})

test('too little that was seen counts where nothing else is wrong', () => {
  const little = { ...sampleReport(), sawTooLittle: true }
  const [passed, failed] = sampleCases
  const problem = { member: 'probe.statuses', message: 'a new word' }
  const ends = [
    exitCodeOf({ ...sampleReport(passed && [passed]), sawTooLittle: true }, false),
    exitCodeOf({ ...sampleReport(passed && [passed]), sawTooLittle: true }, true),
    exitCodeOf({ ...sampleReport(passed && [passed], [problem]), sawTooLittle: true }, false),
    exitCodeOf({ ...sampleReport(failed && [failed]), sawTooLittle: true }, false),
    exitCodeOf(little, false),
  ]
  expect(ends).toEqual([3, 1, 2, 1, 1])
})

test('a run that could see nothing ends with 3', async () => {
  const { url } = await startForTest()
  const receiver = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
  onTestFinished(() => void receiver.close())
  await once(receiver, 'listening')
  const address = receiver.address()
  const port = typeof address === 'object' ? address?.port : null
  const argv = ['--webhook-url', `http://127.0.0.1:${port}/`, '--url', url, '--only', 'K37']
  const { exitCode, out } = await conform(argv)
  expect({ exitCode, out }).toEqual({ exitCode: 3, out: expect.stringContaining('No case was observable.') })
  expect(await conform([...argv, '--require-seen', '0'])).toMatchObject({ exitCode: 0 })
})

test('the result is appended as Markdown to the named file and, in GitHub Actions, to the summary of the job', async () => {
  const folder = aFolder()
  const [own, job, config] = ['own.md', 'job.md', 'conform.yaml'].map((name) => join(folder, name))
  if (own === undefined || job === undefined || config === undefined) throw new Error('no files')
  writeFileSync(job, 'before\n')
  writeFileSync(config, 'setle: 1s\n')
  await conform([config, '--summary', own], { EMULATOR_URL: nowhere, GITHUB_STEP_SUMMARY: job })
  const text = readFileSync(own, 'utf8')
  expect(text).toMatch(/^## conform: No test case ran in .*\n\n❌ The configuration has problems/)
  expect(text).toContain('unknown key \\`setle\\`')
  expect(readFileSync(job, 'utf8')).toBe(`before\n${text}`)
  await conform([config, '--summary', own], { EMULATOR_URL: nowhere, GITHUB_STEP_SUMMARY: own })
  expect(readFileSync(own, 'utf8')).toBe(text + text)
})

test.each([null, 'client: a\n'])('what an application answers steers no terminal, told of %j', (text) => {
  const hostile = 'was answered 200: \u001b]0;owned\u0007\u009b2J\u202e\n'
  const written =
    text === null ? null : { file: 'conform.yaml', text, source: readYaml(text, 'conform.yaml') }
  const told = problemsText([{ member: 'start', message: hostile }], written, new FakeTerminal())
  expect(told).toContain('was answered 200: \\u001b]0;owned\\u0007\\u009b2J\\u202e\\n')
  expect(told).not.toMatch(/[^\n\P{Cc}]|\p{Cf}/u)
})

test('--webhook-url leaves a conform.yaml that is there in force', async () => {
  const before = process.cwd()
  onTestFinished(() => process.chdir(before))
  process.chdir(aFolder())
  writeFileSync('conform.yaml', 'setle: 1s\n')
  const { exitCode, err } = await conform(['--webhook-url', 'http://a.test', '--url', nowhere])
  expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringContaining('conform.yaml:1:1') })
})
