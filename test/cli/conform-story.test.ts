import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { storyExitCode } from '../../src/cli/conform/stories.ts'
import { run } from '../../src/cli/program.ts'
import type { StoryReport } from '../../src/conform/index.ts'
import { startEmulator } from '../../src/index.ts'
import { webShop } from '../conform/support/web-shop.ts'
import { aFolder } from '../support/folder.ts'
import { FakeTerminal } from './fake-terminal.ts'

const nowhere = 'http://127.0.0.1:9'

async function conform(argv: readonly string[], terminal = new FakeTerminal()) {
  const exitCode = await run(['conform', ...argv], terminal)
  return { exitCode, out: terminal.output.join('\n'), err: terminal.errors.join('\n') }
}

const repeated = 'promise: released-once\nacts: [create, pay, repeat the webhook]\n'
const plain = 'promise: released-once\nacts: [create, pay]\n'
const restarted = 'promise: released-once\nacts: [create, restart, pay]\n'

/** A folder with files. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = aFolder()
  mkdirSync(join(folder, 'found'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

/** A shop that releases with each webhook, unless it is right, with its configuration file and stories. */
async function shopWith(stories: Readonly<Record<string, string>>, isRight = false) {
  const emulator = await startEmulator()
  onTestFinished(() => emulator.close())
  const { shop, config, close } = await webShop(emulator, (path) => {
    if (path === '/webhooks' && !isRight) for (const { shipped } of shop.purchases.values()) shipped.clear()
    return null
  })
  onTestFinished(close)
  const folder = folderWith({ 'conform.yaml': JSON.stringify(config), ...stories })
  const file = join(folder, 'conform.yaml')
  return { folder, file, found: join(folder, 'found'), at: ['--url', emulator.url] }
}

test('a story that breaks its promise ends with 1, and every report says how', async () => {
  const { folder, file, found, at } = await shopWith({
    'found/plain.yaml': plain,
    'found/repeated.yaml': repeated,
  })
  const [xml, html, md] = ['j.xml', 'h.html', 's.md'].map((name) => join(folder, name))
  if (xml === undefined || html === undefined || md === undefined) throw new Error('no files')
  const outputs = ['--junit', xml, '--html', html, '--summary', md]
  const argv = [file, '--story', found, '--seed', 'abc', '--times', '2', ...outputs, ...at]
  const { exitCode, out } = await conform(argv)
  expect(exitCode).toBe(1)
  for (const part of [
    /^PASS {6}plain\n {10}kept all promises 2 times$/m,
    /^FAIL {6}repeated\n {10}released twice: released 2, paid 1$/m,
    / {2}3\. repeat the webhook\n {5}.*released 2/,
    /It should {7}Release at most once for each paid charge\./,
    /conform .*conform\.yaml --story .*repeated\.yaml --times 2 --seed abc --url /,
    /2 stories: 1 passed, 1 failed in .* s; seed abc$/,
  ])
    expect(out).toMatch(part)
  expect(readFileSync(xml, 'utf8')).toContain('<failure type="released-once" message="released twice: ')
  expect(readFileSync(xml, 'utf8')).toContain('tests="2" failures="1" errors="0"')
  expect(readFileSync(html, 'utf8')).toContain('<span class="badge FAIL">FAIL</span> repeated')
  expect(readFileSync(md, 'utf8')).toContain('| repeated | ❌ FAIL | released twice: released 2, paid 1 |')
})

test('stories that keep all promises end with 0; the report is JSON where asked for', async () => {
  const { file, found, at } = await shopWith({ 'found/a.yaml': repeated, 'found/b.yaml': restarted }, true)
  const terminal = new FakeTerminal({}, { interactive: true, columns: 40 })
  const { exitCode, out, err } = await conform([file, '--story', found, '--json', ...at], terminal)
  expect(exitCode).toBe(0)
  expect(JSON.parse(out)).toMatchObject({
    ok: true,
    problems: [],
    stories: [
      { name: 'a', file: join(found, 'a.yaml'), verdict: 'PASS', times: 5 },
      { name: 'b', verdict: 'NOT-SEEN', note: expect.stringContaining('`restart`: ') },
    ],
  })
  expect(err).toContain('\r\u001b[2K1/2  a')
  expect(err.endsWith('\r\u001b[2K')).toBe(true)
})

test('a run in which no story could be played ends with 3', async () => {
  const { file, found, at } = await shopWith({ 'found/b.yaml': restarted })
  expect(await conform([file, '--story', found, ...at])).toMatchObject({
    exitCode: 3,
    out: expect.stringMatching(/^NOT-SEEN {2}b\n {10}`restart`: [\s\S]*No story could be played\. 1 story/),
  })
})

test('files of the same name in two folders are both played', async () => {
  const { folder, file, at } = await shopWith({ 'a.yaml': plain, 'found/a.yaml': plain }, true)
  const files = [join(folder, 'a.yaml'), join(folder, 'found', 'a.yaml')]
  const argv = [file, '--times', '1', '--json', ...files.flatMap((path) => ['--story', path]), ...at]
  const { stories } = JSON.parse((await conform(argv)).out)
  expect(stories).toMatchObject(
    files.map((path) => ({ file: path, name: path.slice(0, -5), verdict: 'PASS' })),
  )
})

test('a wrong story file is shown with the place before anything is called', async () => {
  const folder = folderWith({
    'conform.yaml': '',
    'found/a.yaml': 'promise: released-once\nacts: [create, pya]\n',
  })
  const story = join(folder, 'found', 'a.yaml')
  const xml = join(folder, 'j.xml')
  const argv = [join(folder, 'conform.yaml'), '--story', story, '--url', nowhere, '--junit', xml, '--json']
  const { exitCode, out, err } = await conform(argv)
  expect(exitCode).toBe(2)
  expect(err).toContain(`${story}:2:16: unknown act \`pya\`; did you mean \`pay\`?`)
  expect(JSON.parse(out)).toMatchObject({ ok: false, problems: [{ member: `${story}:2:16` }], stories: [] })
  expect(readFileSync(xml, 'utf8')).toContain('errors="1"')
})

test('a configuration that shows too little ends with 2', async () => {
  const { folder, file, found, at } = await shopWith({ 'found/a.yaml': plain })
  const { webhookUrl, client } = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, `client: ${client}\nwebhookUrl: ${webhookUrl}\n`)
  const { exitCode, out } = await conform([file, '--story', found, ...at, '--html', join(folder, 'h.html')])
  expect(exitCode).toBe(2)
  expect(out).toContain('start: ')
  expect(out).toContain('No story was played: the configuration has 2 problems.')
})

test.each([
  [['--only', 'K08'], /leave out `--only`/],
  [['--level', 'must'], /leave out `--level`/],
  [['--require-seen', '5'], /leave out `--require-seen`/],
  [['--prove', 'main', '--', 'npm', 'start'], /leave out `--prove`/],
  [['--times', '0'], /--times: expected a whole number from 1 to 100, not "0"/],
  [['--times', '101'], /--times: .*not "101"/],
  [['--times', 'many'], /--times: .*not "many"/],
  [['--story', 'nowhere'], /no file or folder "nowhere"/],
])('--story with %s is wrong usage', async (argv, message) => {
  const folder = folderWith({ 'conform.yaml': '', 'found/a.yaml': plain })
  const [file, found] = [join(folder, 'conform.yaml'), join(folder, 'found')]
  expect(await conform([file, '--story', found, ...argv])).toMatchObject({
    exitCode: 2,
    err: expect.stringMatching(message),
  })
})

test('--times without --story is wrong usage, and an empty folder too', async () => {
  const folder = folderWith({ 'conform.yaml': '' })
  const file = join(folder, 'conform.yaml')
  expect(await conform([file, '--times', '3'])).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('`--times` works only with `--story`'),
  })
  expect(await conform([file, '--story', join(folder, 'found')])).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('contains no .yaml or .yml file'),
  })
  expect(existsSync(join(folder, 'found', 'a.yaml'))).toBe(false)
})

test('a failed story counts although the application ended; otherwise its end does', () => {
  const report = {
    ok: false,
    ...{ seed: 'a', emulator: nowhere, clientId: 'c', startedAt: 0, ms: 0, problems: [] },
  }
  const story = {
    ...{
      name: 'a',
      file: null,
      acts: ['create'],
      promise: 'released-once' as const,
      broken: null,
      note: null,
    },
    ...{ seen: [], times: 1, requestId: null, sequence: null, again: null, ms: 1 },
  } as const
  const of = (...verdicts: ('PASS' | 'FAIL' | 'NOT-SEEN')[]): StoryReport => ({
    ...report,
    stories: verdicts.map((verdict) => ({ ...story, verdict })),
  })
  const problems = [{ member: 'start', message: 'a problem' }]
  expect([
    storyExitCode(of('PASS', 'FAIL'), false),
    storyExitCode(of('PASS', 'NOT-SEEN'), false),
    storyExitCode(of('PASS'), true),
    storyExitCode(of('NOT-SEEN'), false),
    storyExitCode({ ...of(), problems }, true),
  ]).toEqual([1, 0, 1, 3, 2])
})
