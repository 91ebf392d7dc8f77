import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../../src/cli/program.ts'
import { freePort } from '../../../tools/free-port.ts'
import { FakeTerminal } from '../../cli/fake-terminal.ts'
import { serverFor } from '../../cli/servers.ts'
import { spawnProgram } from '../../cli/spawned.ts'
import { aFolder } from '../../support/folder.ts'

const shop = (status: number) => `
import { createServer } from 'node:http'
const answer = (response) => response.writeHead(${status}, { location: '/elsewhere' }).end()
createServer((request, response) => request.resume().on('end', () => answer(response))).listen(process.env.PORT)
`
const [redirecting, right] = [shop(302), shop(204)]

class Repository {
  readonly folder = aFolder()

  constructor() {
    this.git('init', '--quiet', '--initial-branch', 'main')
  }

  git(...args: string[]): string {
    const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com']
    return execFileSync('git', [...identity, ...args], { cwd: this.folder, encoding: 'utf8' }).trim()
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, name)), { recursive: true })
      writeFileSync(join(this.folder, name), text)
    }
  }

  /** @returns the commit as git shortens it */
  commit(files: Readonly<Record<string, string>>): string {
    this.write(files)
    this.git('add', '--all')
    this.git('commit', '--quiet', '--message', 'a change')
    return this.git('rev-parse', '--short', 'HEAD')
  }

  get worktrees(): number {
    return this.git('worktree', 'list').split('\n').length
  }
}

/** Runs `conform --prove` with the case K03 in a folder. */
async function prove(
  folder: string,
  ref: string,
  {
    argv = [],
    command = [process.execPath, 'shop.mjs'],
    env = {},
  }: Partial<{
    argv: readonly string[]
    command: readonly string[]
    env: Readonly<Record<string, string>>
  }> = {},
) {
  const before = process.cwd()
  onTestFinished(() => process.chdir(before))
  process.chdir(folder)
  const port = String(await freePort())
  const terminal = new FakeTerminal({ ...process.env, PORT: port, ...env })
  const url = `http://127.0.0.1:${port}/webhooks`
  const own = ['conform', '--prove', ref, '--webhook-url', url, '--only', 'K03', '--seed', 'a', ...argv]
  const exitCode = await run([...own, '--', ...command], terminal)
  return { exitCode, out: terminal.output.join('\n'), err: terminal.errors.join('\n') }
}

test('a case that fails at a commit and passes now is proven, in words, JSON and Markdown', async () => {
  const repository = new Repository()
  const short = repository.commit({ 'shop.mjs': redirecting })
  repository.commit({ 'shop.mjs': right })
  const summary = join(aFolder(), 'summary.md')
  const argv = ['--summary', summary]
  const { exitCode, out } = await prove(repository.folder, 'HEAD~1', { argv })
  expect({ exitCode, out }).toEqual({
    exitCode: 0,
    out: expect.stringMatching(
      new RegExp(
        `^K03 red at ${short}, green now\n\nRed at ${short}, green now\n {2}K03 {2}FAIL → PASS {2}How .*\n {7}At ${short}: It answered 302`,
      ),
    ),
  })
  expect(out).not.toContain('uncommitted')
  expect(readFileSync(summary, 'utf8')).toMatch(
    new RegExp(
      `^## ✅ conform --prove: K03 red at ${short}, green now\n[\\s\\S]*\\| ❌ FAIL \\| ✅ PASS \\|`,
    ),
  )
  expect(repository.worktrees).toBe(1)

  const again = await prove(repository.folder, 'HEAD~1', { argv: ['--json'] })
  expect(JSON.parse(again.out)).toMatchObject({
    ok: true,
    ...{ ref: 'HEAD~1', short, seed: 'a', uncommitted: [], unchanged: 0 },
    fixed: [{ id: 'K03', before: 'FAIL', now: 'PASS' }],
    ...{ worse: [], stillRed: [], seenOnce: [] },
    before: { seed: 'a', cases: [{ id: 'K03', verdict: 'FAIL' }] },
    now: { seed: 'a', cases: [{ id: 'K03', verdict: 'PASS' }] },
  })
})

test('a case that passes at a commit and fails now ends it with 1, and uncommitted changes are named', async () => {
  const repository = new Repository()
  const short = repository.commit({ 'shop.mjs': right })
  repository.write({ 'shop.mjs': redirecting, 'a new file': '' })
  const { exitCode, out } = await prove(repository.folder, 'main')
  expect(exitCode).toBe(1)
  expect(out).toMatch(new RegExp(`^No case is red at ${short} and green now; K03 worse than at ${short}\n`))
  expect(out).toMatch(/\n.*conform --only K03 --seed a .*-- .*shop\.mjs\n/)
  expect(out).toContain('"Now" includes uncommitted changes in 2 files: shop.mjs, a new file.')
})

test('where nothing changes, nothing is proven', async () => {
  const repository = new Repository()
  const short = repository.commit({ 'shop.mjs': right })
  repository.commit({ 'read me': '' })
  const { exitCode, out } = await prove(repository.folder, short)
  expect({ exitCode, out }).toEqual({
    exitCode: 3,
    out: expect.stringMatching(/^No case is red at \w+ and green now; 1 other unchanged\n/),
  })
})

test('the command runs in the same folder of the worktree, and no hook of the repository does', async () => {
  const repository = new Repository()
  const hook = join(repository.folder, '.git', 'hooks', 'post-checkout')
  repository.commit({ 'shops/one/shop.mjs': redirecting })
  repository.commit({ 'shops/one/shop.mjs': right })
  mkdirSync(dirname(hook), { recursive: true })
  writeFileSync(hook, `#!/bin/sh\ntouch ${join(repository.folder, 'ran')}\n`, { mode: 0o755 })
  const { exitCode } = await prove(join(repository.folder, 'shops/one'), 'HEAD~1')
  expect({ exitCode, ran: existsSync(join(repository.folder, 'ran')) }).toEqual({ exitCode: 0, ran: false })
})

test('an application that lacks its dependencies at a commit is told with what it wrote, and how to install them', async () => {
  const repository = new Repository()
  const needy = `import 'mugs'\n${right}`
  const short = repository.commit({
    'shop.mjs': needy,
    'package-lock.json': '{}',
    '.gitignore': 'node_modules\n',
  })
  repository.commit({ 'shop.mjs': right })
  repository.write({ 'node_modules/mugs/index.js': '' })
  const { exitCode, err } = await prove(repository.folder, 'HEAD~1')
  expect(exitCode).toBe(2)
  expect(err).toContain(`error: at ${short}: `)
  expect(err).toContain("Cannot find package 'mugs'")
  expect(err).toMatch(/The worktree has no `node_modules`, .*: `-- sh -c 'npm ci && .* shop\.mjs'`$/)
  expect(repository.worktrees).toBe(1)
})

test('an application that does not start now is told so', async () => {
  const repository = new Repository()
  repository.commit({ 'shop.mjs': right })
  repository.write({ 'shop.mjs': 'throw new Error("no mugs")' })
  const { exitCode, err } = await prove(repository.folder, 'HEAD')
  expect({ exitCode, err }).toEqual({
    exitCode: 2,
    err: expect.stringMatching(/error: in the present tree: [\s\S]*no mugs/),
  })
})

test('what cannot be compared is said before anything runs', async () => {
  const repository = new Repository()
  repository.commit({ 'shop.mjs': right })
  repository.git('tag', 'v1.0.0')
  expect(await prove(aFolder(), 'main')).toMatchObject({
    exitCode: 2,
    err: expect.stringMatching(/is in no git repository, so there is no "main" to compare with/),
  })
  expect(await prove(repository.folder, 'mian')).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('unknown commit, branch or tag "mian"; did you mean `main`?'),
  })
  expect(await prove(repository.folder, 'zzzzzz')).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('"zzzzzz"; there are main, v1.0.0'),
  })
  expect(await prove(repository.folder, 'v1.0.0')).toMatchObject({
    exitCode: 2,
    err: expect.stringMatching(/the present tree is "v1\.0\.0" without any change/),
  })
  repository.commit({ 'later/shop.mjs': right })
  expect(await prove(join(repository.folder, 'later'), 'v1.0.0')).toMatchObject({
    exitCode: 2,
    err: expect.stringMatching(/the folder "later\/" does not exist at \w+ \(v1\.0\.0\)/),
  })
  expect(repository.worktrees).toBe(1)
})

test('without a command --prove is wrong usage', async () => {
  const terminal = new FakeTerminal()
  expect(await run(['conform', '--prove', 'main', '--webhook-url', 'http://127.0.0.1:9'], terminal)).toBe(2)
  expect(terminal.errors.join()).toContain('give its command after `--`')
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s removes the worktree too', async (signal) => {
  const [started, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { port } = await serverFor((request) => {
    started.resolve()
    request.socket.on('close', () => gone.resolve())
  })
  const repository = new Repository()
  repository.commit({ 'shop.mjs': `import { get } from 'node:http'\nget('http://127.0.0.1:${port}/')` })
  repository.write({ 'a new file': '' })
  // No server listens there, and no other test gets that port.
  const argv = ['conform', '--prove', 'HEAD', '--webhook-url', 'http://127.0.0.1:9/', '--']
  const program = spawnProgram([...argv, process.execPath, 'shop.mjs'], { cwd: repository.folder })
  await Promise.race([started.promise, program.ended])
  expect(repository.worktrees).toBe(2)
  program.child.kill(signal)
  await program.ended
  await gone.promise
  expect(repository.worktrees).toBe(1)
})
