import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { nodePackage } from '../../tools/launch/node-version.mjs'
import { Checkout, isAlive, until } from '../tools/checkout.ts'
import { expectNothingLeft, waiting, waitingChild } from '../tools/waiting-program.ts'

let checkout: Checkout

beforeEach(() => {
  checkout = new Checkout()
})

afterEach(() => checkout[Symbol.dispose]())

test.each(['SIGINT', 'SIGHUP'] as const)(
  'the child is told of %s and ends in its own way',
  async (signal) => {
    const run = await waitingChild(checkout.launch(['node', waiting(checkout)]))
    run.process.kill(signal)
    expect(await run.ended).toMatchObject({ code: 5, output: expect.stringContaining(`got ${signal}`) })
    await expectNothingLeft(run)
  },
)

describe.skipIf(process.platform === 'win32')('nothing is left behind', () => {
  test('when the launcher’s parent is killed', async () => {
    const run = await waitingChild(
      checkout.run('sh', ['-c', `"${process.execPath}" tools/launch.mjs node ${waiting(checkout)}; true`]),
    )
    run.process.kill('SIGKILL')
    await run.ended
    expect(run.output).toContain('got SIGTERM')
    await expectNothingLeft(run)
  })

  test.runIf(process.platform === 'linux')('when npm is killed and the shell in between is not', async () => {
    const script = `"${process.execPath}" tools/launch.mjs node ${waiting(checkout)}; true`
    checkout.write(
      'npm.mjs',
      `import { spawn } from 'node:child_process'
       console.log('pid ' + spawn('sh', ['-c', ${JSON.stringify(script)}], { stdio: 'inherit' }).pid)`,
    )
    const run = checkout.run(process.execPath, ['npm.mjs'], { npm_lifecycle_event: 'start' })
    await waitingChild(run)
    run.process.kill('SIGKILL')
    await run.ended
    expect(run.output).toContain('got SIGTERM')
    await expectNothingLeft(run)
  })

  test('when the launcher itself is killed: the program’s channel closes', async () => {
    buildsTo(`console.log('pid ' + process.pid)
      process.channel.unref()
      process.once('disconnect', () => { console.log('alone'); process.exit() })
      setInterval(() => {}, 1000)`)
    const run = checkout.launch(['start'])
    await run.writes('pid')
    run.process.kill('SIGKILL')
    await run.ended
    expect(run.output).toContain('alone')
    await expectNothingLeft(run)
  })
})

describe('dependencies', () => {
  // Stands in for npm: leaves its own list last, as npm does.
  const npm = (ending: string) =>
    checkout.write(
      'npm-cli.js',
      `import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
       appendFileSync('npm.log', process.argv[2] + ' ' + process.pid + '\\n')
       mkdirSync('node_modules', { recursive: true })
       console.log('what npm says')
       const done = () => writeFileSync('node_modules/.package-lock.json', '{"packages":{"node_modules/a":{"version":"1.0.0"}}}')
       ${ending}`,
    )
  const installs = () =>
    existsSync(join(checkout.path, 'npm.log')) ? checkout.read('npm.log').trim().split('\n') : []
  const start = () =>
    checkout.launch(['node', '-p', '"ran"'], { npm_execpath: join(checkout.path, 'npm-cli.js') })

  beforeEach(() => rmSync(join(checkout.path, 'node_modules'), { recursive: true }))

  test('are installed by one of two launchers started at once, and once only', async () => {
    npm("const look = setInterval(() => existsSync('go') && (clearInterval(look), done()), 10)")
    const runs = [start(), start()] as const
    await until(() => runs.some(({ output }) => output.includes('Another start')), 'one of them to wait')
    checkout.write('go', '')
    const [one, two] = await Promise.all([runs[0].ended, runs[1].ended])
    expect([one.code, two.code, (await start().ended).output]).toEqual([0, 0, 'ran\n'])
    expect(installs()).toEqual([expect.stringMatching(/^ci /)])
    expect(existsSync(join(checkout.path, '.node', 'lock'))).toBe(false)
  })

  test('installed by hand count too, and a changed lock file brings npm again', async () => {
    npm('done()')
    checkout.write('node_modules/.package-lock.json', '{"packages":{"node_modules/a":{"version":"1.0.0"}}}')
    await start().ended
    expect(installs()).toEqual([])
    checkout.write('package-lock.json', '{"packages":{"node_modules/a":{"version":"1.0.1"}}}')
    await start().ended
    expect(installs()).toHaveLength(1)
  })

  test('that cannot be installed give npm’s words, one line and exit 2, and are tried again', async () => {
    npm('process.exitCode = 1')
    const { code, output } = await start().ended
    expect(code).toBe(2)
    expect(output).toMatch(/what npm says\nThe dependencies could not be installed: .*\n$/)
    npm('done()')
    expect((await start().ended).output).toMatch(/ran\n$/)
  })

  test('half installed by a killed launcher are waited for while npm lives, then installed again', async () => {
    npm('setInterval(() => {}, 1000)')
    const first = start()
    await until(() => installs().length === 1, 'npm to run')
    first.process.kill('SIGKILL')
    await first.ended
    const second = start()
    npm('done()')
    await second.writes('Another start')
    expect(installs()).toHaveLength(1)
    const pid = Number(installs()[0]?.split(' ')[1])
    process.kill(pid, 'SIGKILL')
    expect((await second.ended).output).toMatch(/ran\n$/)
    expect(installs()).toHaveLength(2)
  })

  test('left by a signal end npm, say nothing about failure and give 128 and its number', async () => {
    npm('setInterval(() => {}, 1000)')
    const run = start()
    await until(() => installs().length === 1, 'npm to run')
    run.process.kill('SIGTERM')
    expect(await run.ended).toMatchObject({
      code: 143,
      output: expect.stringMatching(/^Installing the dependencies, .*\n$/),
    })
    expect(isAlive(Number(installs()[0]?.split(' ')[1]))).toBe(false)
  })
})

describe.skipIf(process.platform === 'win32')('the Node for machines whose own is too old', () => {
  const pinned = pinnedHere()
  const privateNode = `.node/node_modules/${pinned.name}`

  /** A package as the registry has it, with a program in the place of Node. */
  function nodePackageSaying(text: string): Buffer {
    const { name, version } = pinned
    checkout.write('made/package/package.json', JSON.stringify({ name, version }))
    checkout.write('made/package/bin/node', `#!/bin/sh\necho ${text} "$@"\n`)
    chmodSync(join(checkout.path, 'made/package/bin/node'), 0o755)
    return execFileSync('tar', ['-cz', '-C', join(checkout.path, 'made'), 'package'])
  }

  /** Pins what this checkout fetches to these bytes. */
  function pin(bytes: Buffer): void {
    const file = 'tools/launch/node-version.mjs'
    checkout.write(file, checkout.read(file).replace(pinned.integrity, integrityOf(bytes)))
  }

  /** Starts with a registry that has these bytes, and says that they have this hash. */
  async function startWith(bytes: Buffer, integrity = integrityOf(bytes)) {
    const { name, version } = pinned
    const registry = createServer(({ url }, answer) => {
      if (url === '/node.tgz') return void answer.end(bytes)
      const dist = { tarball: `${address}/node.tgz`, integrity }
      const versions = { [version]: { name, version, dist } }
      answer.end(JSON.stringify({ name, versions, 'dist-tags': { latest: version } }))
    }).listen(0, '127.0.0.1')
    await once(registry, 'listening')
    onTestFinished(() => void registry.close())
    const bound = registry.address()
    const address = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : bound}`
    const env = {
      npm_config_registry: address,
      npm_config_cache: join(checkout.path, 'cache'),
      npm_config_fetch_retries: '0',
    }
    return checkout.launch(['node', 'child.mjs'], env).ended
  }

  beforeEach(() => checkout.write('package.json', '{"type":"module","engines":{"node":">=99.0.0"}}'))

  test('is fetched, and runs the program', async () => {
    const bytes = nodePackageSaying('private')
    pin(bytes)
    expect(await startWith(bytes)).toMatchObject({
      code: 0,
      output: expect.stringMatching(
        /Downloading Node [\d.]+, once .*\nDone in \d+ s\nprivate child\.mjs\n$/s,
      ),
    })
  })

  test.each([
    ['its own hash', (_: Buffer, other: Buffer) => integrityOf(other)],
    ['the right hash', (right: Buffer) => integrityOf(right)],
    ['no hash', () => ''],
  ])('of which the registry has other bytes with %s is refused, and never run', async (_, hashFor) => {
    const [right, other] = [nodePackageSaying('right'), nodePackageSaying('other')]
    pin(right)
    const { code, output } = await startWith(other, hashFor(right, other))
    expect(code).toBe(2)
    expect(output).toMatch(/\nNode was not installed: .* is not the one pinned .*Check the registry.*\n$/)
    expect(output).not.toContain('other child.mjs')
    expect(existsSync(join(checkout.path, privateNode))).toBe(false)
  })

  test('fetched earlier runs the program without a registry', async () => {
    checkout.write(`${privateNode}/package.json`, JSON.stringify({ version: pinned.version }))
    checkout.write(`${privateNode}/bin/node`, `#!/bin/sh\necho private "$@"\n`)
    chmodSync(join(checkout.path, privateNode, 'bin/node'), 0o755)
    expect((await checkout.launch(['node', 'child.mjs']).ended).output).toBe('private child.mjs\n')
  })

  test('fetched earlier is replaced when another version has been pinned', async () => {
    checkout.write(`${privateNode}/package.json`, '{"version":"22.19.0"}')
    checkout.write(`${privateNode}/bin/node`, '#!/bin/sh\necho earlier "$@"\n')
    const bytes = nodePackageSaying('private')
    pin(bytes)
    expect((await startWith(bytes)).output).toMatch(/\nprivate child\.mjs\n$/)
  })
})

describe('a build', () => {
  beforeEach(() => checkout.linkDependencies())

  const program = (version: string) => {
    checkout.write('src/late.ts', `export const version = '${version}'`)
    checkout.write(
      'src/cli/main.ts',
      `process.stdout.write('early ${version}\\n')
       process.stdin.once('data', async () => {
         const late = await import('../late.ts')
         console.log('late ' + late.version)
         process.exit()
       })`,
    )
  }

  const building = 'Building the program from its sources (a few seconds)\n'

  test('is made when a source changed and leaves a running program its own late parts', async () => {
    program('1')
    const earlier = checkout.launch(['start'])
    await earlier.writes('early 1')
    program('2')
    const later = checkout.launch(['start'])
    await later.writes('early 2')
    for (const run of [earlier, later]) run.process.stdin?.end('go\n')
    expect((await earlier.ended).output).toBe(`${building}early 1\nlate 1\n`)
    expect((await later.ended).output).toBe(`${building}early 2\nlate 2\n`)
  })

  test('that fails gives its code and leaves the earlier one in place', async () => {
    program('1')
    await checkout.launch(['build']).ended
    checkout.write('src/late.ts', 'export const = ')
    const { code, output } = await checkout.launch(['start']).ended
    expect([code, output]).toEqual([1, expect.stringContaining('src/late.ts:1')])
    expect(checkout.read('dist/cli.js')).toContain('#!/usr/bin/env node')
  })

  test('is not made again without a change, but when a source is deleted', async () => {
    program('1')
    checkout.write('src/unused.ts', 'export {}')
    await checkout.launch(['build']).ended
    const stamp = () => checkout.read('dist/.build-stamp')
    const before = stamp()
    const start = () => {
      const run = checkout.launch(['start'])
      run.process.stdin?.end()
      return run.ended
    }
    await start()
    expect(stamp()).toBe(before)
    rmSync(join(checkout.path, 'src', 'unused.ts'))
    await start()
    expect(stamp()).not.toBe(before)
  })
})

const integrityOf = (bytes: Buffer) => `sha512-${createHash('sha512').update(bytes).digest('base64')}`

function pinnedHere() {
  const pinned = nodePackage(process.platform, process.arch, false)
  if (pinned === null) throw new Error(`no Node to fetch for ${process.platform} ${process.arch}`)
  return pinned
}

/** A stand-in for the build that makes this program. */
function buildsTo(text: string): void {
  checkout.write(
    'tools/build.mjs',
    `import { mkdirSync, writeFileSync } from 'node:fs'
     mkdirSync('dist')
     writeFileSync('dist/cli.js', ${JSON.stringify(text)})`,
  )
}
