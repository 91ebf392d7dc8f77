// Publishes the package to a registry on this machine and installs it from there with npm, pnpm and yarn, each in an empty
// project: `npm run release:rehearse`. Nothing leaves the machine but what the build fetches. Takes about two minutes.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../free-port.ts'

const root = join(import.meta.dirname, '..', '..')
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const binaries = join(import.meta.dirname, 'node_modules', '.bin')

/** How each package manager adds a development dependency, and runs its command. */
const managers = {
  npm: { add: ['npm', 'install', '--save-dev'], exec: ['npx', '--no-install'] },
  pnpm: { add: [join(binaries, 'pnpm'), 'add', '--save-dev'], exec: [join(binaries, 'pnpm'), 'exec'] },
  yarn: { add: [join(binaries, 'yarn'), 'add', '--dev'], exec: [join(binaries, 'yarn'), 'exec'] },
}

/** A first use of the package in a project. Its last line reports success. */
const firstUse = `
  import { startEmulator } from '${name}'
  const emulator = await startEmulator({ clock: 'manual' })
  const client = await emulator.createClient()
  const { requestId } = await client.createCheckoutOrder({ fiatAmount: '10.00' })
  await client.clock.advance('10s')
  const [order] = await client.fiatOrders(requestId)
  await emulator.close()
  console.log(order.orderStatus)
`

/** @throws Error with its output if it ends with anything but 0 */
async function run(words: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const [command = '', ...args] = words
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}:\n${output}`)
  return output
}

/** Starts a registry that accepts packages from anyone and asks no other registry. */
async function startRegistry(folder: string): Promise<{ url: string; registry: ChildProcess }> {
  const config = join(folder, 'registry.yaml')
  writeFileSync(
    config,
    JSON.stringify({
      storage: join(folder, 'storage'),
      auth: { htpasswd: { file: join(folder, 'htpasswd') } },
      packages: { '**': { access: '$all', publish: '$all' } },
      log: { type: 'stdout', format: 'json', level: 'warn' },
      web: { enable: false },
      max_body_size: '100mb',
    }),
  )
  const program = join(import.meta.dirname, 'node_modules', 'verdaccio', 'bin', 'verdaccio')
  const url = `http://127.0.0.1:${await freePort()}`
  const registry = spawn(process.execPath, [program, '--config', config, '--listen', url], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(registry, 'exit').then(() => {
    throw new Error('the registry did not start')
  })
  await Promise.race([ended, answers(`${url}/-/ping`)])
  return { url, registry }
}

async function answers(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(url).catch(() => null)
    if (answer?.ok) return
    await pause(100)
  }
}

/** Installs the package in an empty project and uses it. */
async function tryIn(folder: string, manager: keyof typeof managers, url: string, env: NodeJS.ProcessEnv) {
  const project = join(folder, manager)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }\n')
  writeFileSync(join(project, 'first-use.js'), firstUse)
  writeFileSync(join(project, '.npmrc'), `registry=${url}\n`)
  const forYarn = {
    npmRegistryServer: url,
    unsafeHttpWhitelist: ['127.0.0.1'],
    // It was published a minute ago.
    npmMinimalAgeGate: 0,
    nodeLinker: 'node-modules',
    enableTelemetry: false,
  }
  writeFileSync(join(project, '.yarnrc.yml'), JSON.stringify(forYarn))
  // Without it yarn takes the project for a part of one above.
  writeFileSync(join(project, 'yarn.lock'), '')
  const { add, exec } = managers[manager]
  await run([...add, `${name}@${version}`], project, env)
  const shown = (await run([...exec, name, '--version'], project, env)).trim()
  if (!shown.includes(version))
    throw new Error(`${manager}: ${name} --version prints ${shown}, not ${version}`)
  const status = (await run([process.execPath, 'first-use.js'], project, env)).trim()
  if (status !== 'COMPLETED') throw new Error(`${manager}: the order is ${status}, not COMPLETED`)
}

const folder = mkdtempSync(join(tmpdir(), 'release-rehearsal-'))
const { url, registry } = await startRegistry(folder)
try {
  const userconfig = join(folder, 'npmrc')
  writeFileSync(userconfig, `registry=${url}\n${url.replace('http:', '')}/:_authToken=rehearsal\n`)
  const env = {
    ...process.env,
    npm_config_cache: join(folder, 'npm-cache'),
    YARN_GLOBAL_FOLDER: join(folder, 'yarn'),
    PNPM_HOME: join(folder, 'pnpm-home'),
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_CACHE_HOME: join(folder, 'cache'),
  }
  console.log(`publishes ${name} ${version} to ${url}`)
  const publishing = { ...process.env, npm_config_userconfig: userconfig }
  await run(['npm', 'publish', '--registry', url], root, publishing)
  for (const manager of ['npm', 'pnpm', 'yarn'] as const) {
    await tryIn(folder, manager, url, env)
    console.log(`${manager}: installed, --version and a first order work`)
  }
} finally {
  registry.kill()
  if (existsSync(folder)) rmSync(folder, { recursive: true, force: true })
}
