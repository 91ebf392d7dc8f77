import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../src/cli/program.ts'
import { hazards } from '../../src/domain/coverage/hazards.ts'
import { freePort } from '../../tools/free-port.ts'
import { aFolder } from '../support/folder.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { create, startForTest } from './running.ts'

async function called(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const terminal = new FakeTerminal({ ...process.env, ...env })
  const exitCode = await run(argv, terminal)
  return { exitCode, out: terminal.output.join('\n'), err: terminal.errors.join('\n') }
}

/** Runs code of Node under `exec`. */
const exec = (flags: readonly string[], code: string, env: Readonly<Record<string, string>> = {}) =>
  called(['exec', ...flags, '--', process.execPath, '-e', code], env)

/** A lookup, as a suite may make it. */
const lookUp = `
  const { PAYMENT_ORDER_BASE_URL: url, PAYMENT_ORDER_ACCESS_TOKEN: token } = process.env
  const headers = { 'access-token': token }
  const lookedUp = fetch(url + '/v1/client/orders?requestId=r1&clientId=demo-client', { headers })
`
const line = (section: string, name: string, count: number) => `${JSON.stringify({ section, name, count })}\n`

test('exec --coverage ends with what was met, money first and the percentage last, and with the exit code of its command', async () => {
  const { exitCode, out, err } = await exec(['--coverage'], `${lookUp}; lookedUp.then(() => process.exit(7))`)
  expect([exitCode, out]).toEqual([7, ''])
  const lines = err.split('\n')
  expect(lines[0]).toBe('Not met, and mishandling it loses money:')
  expect(lines[1]).toMatch(/^ {2}webhook-twice +the service sends each webhook twice/)
  expect(lines[2]).toMatch(/^ +await client\.scenarios\.next\('webhook-duplicate'\)$/)
  expect(err).toMatch(
    /^Answers +1 of 5, not met: orders 401 token\.\*, orders 429, orders 503, orders none$/m,
  )
  expect(lines.at(-1)).toMatch(/^coverage \d+(\.\d)? % \(1 of \d+\)$/)
})

test('without --coverage, exec says nothing of it and hands no folder to its command', async () => {
  const { exitCode, err } = await exec(
    [],
    'process.exit(process.env.EMULATOR_COVERAGE_DIR === undefined ? 0 : 3)',
  )
  expect([exitCode, err]).toEqual([0, ''])
})

test.each([
  ['99', 'process.exit(0)', 1],
  ['99', 'process.exit(7)', 7],
  ['0', 'process.exit(0)', 0],
])('exec with a minimum of %s and %s ends with %i', async (minimum, code, ends) => {
  const { exitCode, err } = await exec(['--coverage-min', minimum], code)
  expect(exitCode).toBe(ends)
  expect(err.includes(`error: coverage is 0 %, below the minimum of ${minimum} %`)).toBe(minimum === '99')
})

test('what other emulators of the command have written adds up, and the folder is gone afterwards', async () => {
  const seen = join(aFolder(), 'seen')
  const code = `
    const fs = require('node:fs')
    const folder = process.env.EMULATOR_COVERAGE_DIR
    fs.writeFileSync(folder + '/other.jsonl', ${JSON.stringify(line('hazards', 'webhook-twice', 2))})
    fs.writeFileSync(${JSON.stringify(seen)}, folder)
    ${lookUp}`
  const { err } = await exec(['--coverage'], code)
  expect(err).not.toContain('webhook-twice')
  expect(err).toMatch(new RegExp(`^Hazards +1 of ${hazards.length}$`, 'm'))
  expect(err).toMatch(/\(2 of \d+\)$/)
  expect(existsSync(readFileSync(seen, 'utf8'))).toBe(false)
})

test('a folder of the user is kept, and read by coverage --dir; runs add up', async () => {
  const folder = join(aFolder(), 'coverage')
  for (let n = 0; n < 2; n++) await exec(['--coverage'], lookUp, { EMULATOR_COVERAGE_DIR: folder })
  expect(readdirSync(folder)).toHaveLength(2)
  const { exitCode, out } = await called(['coverage', '--dir', folder, '--json'])
  expect(exitCode).toBe(0)
  expect(JSON.parse(out).answers).toContainEqual({ name: 'orders 200', met: 2, counts: true })
})

test('exec writes a page and Markdown', async () => {
  const folder = aFolder()
  const [html, summary] = [join(folder, 'deep', 'page.html'), join(folder, 'summary.md')]
  await exec(['--coverage-html', html, '--coverage-summary', summary], lookUp)
  expect(readFileSync(html, 'utf8')).toMatch(/^<!doctype html>[\s\S]*webhook-twice[\s\S]*coverage [\d.]+ %/)
  expect(readFileSync(summary, 'utf8')).toMatch(
    /^## Coverage of the service[’]s behaviour[\s\S]*\| webhook-twice \|/,
  )
})

test('coverage asks a running emulator, of one client or of all', async () => {
  const { url } = await startForTest({ clock: 'manual' })
  await create(url, 'r1')
  const env = { EMULATOR_URL: url }
  const all = await called(['coverage', '--json'], env)
  expect(JSON.parse(all.out)).toEqual(await (await fetch(`${url}/_emulator/coverage`)).json())
  const text = await called(['coverage', '--url', url, '--client', 'demo-client'])
  expect(text.out).toMatch(/^Statuses +2 of \d/m)
  const tooLittle = await called(['coverage', '--coverage-min', '50.5'], env)
  expect([tooLittle.exitCode, tooLittle.err]).toEqual([
    1,
    expect.stringMatching(/^error: coverage is [\d.]+ %, below the minimum of 50\.5 %$/),
  ])
  const unknown = await called(['coverage', '--client', 'nobody'], env)
  expect([unknown.exitCode, unknown.err]).toEqual([2, expect.stringContaining('nobody')])
})

test('coverage of an emulator that does not answer ends with 1', async () => {
  const { exitCode, err } = await called(['coverage', '--url', `http://127.0.0.1:${await freePort()}`])
  expect([exitCode, err]).toEqual([1, expect.stringContaining('no emulator answers')])
})

test.each(['101', '-1', 'x', '', '1e1', '100.5'])('%j is no minimum', async (minimum) => {
  const refused = {
    exitCode: 2,
    out: '',
    err: `error: --coverage-min: expected a number from 0 to 100, not ${JSON.stringify(minimum)}`,
  }
  expect(await called(['coverage', `--coverage-min=${minimum}`])).toEqual(refused)
  expect(await exec([`--coverage-min=${minimum}`], 'process.exit(0)')).toEqual(refused)
})

test.each<[string, (folder: string) => string, string]>([
  ['a folder that is not there', (folder) => join(folder, 'none'), 'ENOENT'],
  [
    'a file that is no coverage',
    (folder) => {
      writeFileSync(join(folder, 'a.jsonl'), `${line('answers', 'orders 200', 1)}{"section":"hazards"}\n`)
      return folder
    },
    'line 2 is not coverage data; remove the file',
  ],
  [
    'a file that cannot be read',
    (folder) => {
      mkdirSync(join(folder, 'a.jsonl'))
      return folder
    },
    'EISDIR',
  ],
])('coverage --dir refuses %s', async (_, made, words) => {
  const { exitCode, err } = await called(['coverage', '--dir', made(aFolder())])
  expect([exitCode, err]).toEqual([2, expect.stringContaining(words)])
})

test('a line that a killed process has not ended says nothing', async () => {
  const folder = aFolder()
  writeFileSync(join(folder, 'a.jsonl'), `${line('answers', 'orders 200', 1)}{"section":"haz`)
  writeFileSync(join(folder, 'notes.txt'), 'no coverage')
  const { exitCode, out } = await called(['coverage', '--dir', folder, '--json'])
  expect([exitCode, JSON.parse(out).met]).toEqual([0, 1])
})

test('--dir goes with no emulator, and a file that cannot be written is refused before anything runs', async () => {
  const both = await called(['coverage', '--dir', aFolder(), '--url', 'http://127.0.0.1:1'])
  expect([both.exitCode, both.err]).toEqual([
    2,
    expect.stringContaining('`--dir` reads files and asks no emulator'),
  ])
  const unwritable = await exec(['--coverage-html', '/dev/null/page.html'], 'process.exit(7)')
  expect([unwritable.exitCode, unwritable.err]).toEqual([2, expect.stringContaining('cannot write')])
  const folder = await exec(['--coverage'], 'process.exit(7)', { EMULATOR_COVERAGE_DIR: '/dev/null/x' })
  expect([folder.exitCode, folder.err]).toEqual([2, expect.stringContaining('cannot be used')])
})
