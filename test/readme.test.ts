import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { readScenarioFile } from '../src/domain/scenario/scenario-file.ts'
import { readSettingsFile } from '../src/domain/settings-file.ts'

const root = join(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    (match) => match[1] ?? '',
  )
const shell = blocks('sh').map((text) => text.trim())

/** The one block that begins and goes on like this. */
function command(beginning: string, containing = ''): string {
  const [only, ...others] = shell.filter((text) => text.startsWith(beginning) && text.includes(containing))
  if (only === undefined || others.length > 0)
    throw new Error(`not exactly one command "${beginning} ${containing}"`)
  return only
}

async function freePort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' ? String(address?.port) : ''
}

interface Running {
  /** Resolves with the first line that contains a text. */
  line(containing: string): Promise<string>
  stop(): Promise<number | null>
}

/** Runs a command of the README in a shell. `npm start --` becomes the program that it starts, and ports that may
 *  be taken on this machine become others. */
function run(text: string, ports: Readonly<Record<string, string>>, folder = root): Running {
  const direct = text.replace(/^npm start( --)?/, `exec '${process.execPath}' '${join(root, 'dist/cli.js')}'`)
  const moved = Object.entries(ports).reduce((moved, [from, to]) => moved.replaceAll(from, to), direct)
  const child = spawn('/bin/sh', ['-c', moved], {
    cwd: folder,
    env: { ...process.env, EMULATOR_PORT: ports['4600'], EMULATOR_LOG: 'pretty', NO_COLOR: '1' },
  })
  const lines: string[] = []
  const waiting = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      for (const look of waiting) look()
    })
  }
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  const stop = () => {
    child.kill('SIGTERM')
    return closed
  }
  onTestFinished(async () => void (await stop()))
  const line = (containing: string) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = lines.find((each) => each.includes(containing))
        if (found === undefined) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      closed.then(() => reject(new Error(`ended without "${containing}":\n${lines.join('\n')}`)))
      look()
    })
  return { line, stop }
}

test('the first screen: one command, one curl, two webhooks with good signatures, and the same curl again', async () => {
  const ports = { '4600': await freePort(), '4601': await freePort() }
  const emulator = run(`${shell[0]} -- --clock 20x`, ports)
  await emulator.line('Ready.')
  const listener = run(`${shell[1]} --port 4601 --url http://127.0.0.1:4600`, ports)
  await listener.line('Ready.')
  const create = command('curl http://127.0.0.1:4600/v1/client/checkout/create-order')
  await run(create, ports).line('"status":"CREATED"')
  expect(await listener.line('CREATED')).toMatch(/CREATED\s+order-1\s.*signature ok/)
  expect(await listener.line('COMPLETED')).toMatch(/COMPLETED\s+order-1\s.*signature ok/)
  await run(create, ports).line('"code":"7001"')
  const wrong = create.replace('signature: x', 'signature: y')
  await run(wrong, ports).line('Client verification failed')
  await emulator.line('signature: it fits no mistake')
  expect(await listener.stop()).toBe(0)
  expect(await emulator.stop()).toBe(0)
})

test('the signature that the README makes is the one that its curl sends', async () => {
  const signature = await run(command('printf'), {}).line('=')
  expect(command('curl http://127.0.0.1:4600/v1/client/checkout/create-order')).toContain(
    `signature: ${signature}`,
  )
})

test('scenarios, clients and the clock, as the README moves them', async () => {
  const ports = { '4600': await freePort() }
  const emulator = run(command('npm start -- --clock manual'), ports)
  await emulator.line('Ready.')
  await run(command('curl http://127.0.0.1:4600/_emulator/scenarios/next'), ports).line(
    '"scenario":"fail-9004"',
  )
  await run(command('curl http://127.0.0.1:4600/v1/client/checkout/create-order'), ports).line('CREATED')
  const ledger = await run(
    command("curl -X POST 'http://127.0.0.1:4600/_emulator/clock/advance"),
    ports,
  ).line('transitions')
  expect(ledger).toContain('"to":"FAILED"')
  await run(command('curl -X PATCH'), ports).line('"defaultScenario":"happy-instant"')
})

test('webhooks are held, released and forged, as the README does it', async () => {
  const ports = { '4600': await freePort(), '4601': await freePort() }
  const emulator = run('npm start -- --clock manual', ports)
  await emulator.line('Ready.')
  const listener = run(`${shell[1]} --port 4601 --url http://127.0.0.1:4600`, ports)
  await listener.line('Ready.')
  await run(command('curl http://127.0.0.1:4600/_emulator/deliveries/hold'), ports).line('"held":0')
  await run(command('curl http://127.0.0.1:4600/v1/client/checkout/create-order'), ports).line('CREATED')
  await run(command("curl -X POST 'http://127.0.0.1:4600/_emulator/clock/advance"), ports).line('COMPLETED')
  await listener.line('COMPLETED order-1 signature ok')
  await run(command('curl -X POST http://127.0.0.1:4600/_emulator/deliveries/release'), ports).line(
    '"released":1',
  )
  await listener.line('CREATED order-1 signature ok')
  await run(command('curl http://127.0.0.1:4600/_emulator/deliveries ', 'sign'), ports).line('"attempts"')
  await listener.line('COMPLETED order-1 signature wrong')
})

test.each([
  ['--webhook-url', ''],
  ['--database', ''],
  ['--settings', 'signature.checkout: short\n'],
  ['--fixtures', ''],
])('npm start -- %s … starts', async (flag, settings) => {
  const folder = mkdtempSync(join(tmpdir(), 'readme-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'settings.yaml'), settings)
  const emulator = run(`${command(`npm start -- ${flag}`)} --port 0`, {}, folder)
  await emulator.line('Ready.')
  expect(await emulator.stop()).toBe(0)
})

test('the scenario of the README is explained without running anything', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'readme-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'bank-transfer.yaml'), blocks('yaml')[0] ?? '')
  const { line } = run(command('npm start -- explain'), {}, folder)
  expect(await line('FAILED with 9004')).toContain('+1d 2h 5m')
})

test('every shell block is run by a test of this file', () => {
  const run = [
    'npm start',
    'npm start -- explain',
    'npm start -- listen',
    'npm start -- --webhook-url',
    'npm start -- --clock manual',
    'npm start -- --database',
    'npm start -- --settings',
    'npm start -- --fixtures',
    'printf',
    'curl http://127.0.0.1:4600/v1/client/checkout/create-order',
    'curl http://127.0.0.1:4600/_emulator/scenarios/next',
    'curl http://127.0.0.1:4600/_emulator/deliveries',
    'curl -X POST http://127.0.0.1:4600/_emulator/deliveries/release',
    'curl -X PATCH http://127.0.0.1:4600/_emulator/clients/demo-client',
    "curl -X POST 'http://127.0.0.1:4600/_emulator/clock/advance",
  ]
  expect(shell.filter((text) => !run.some((known) => text.startsWith(known)))).toEqual([])
})

test('the scenario and the settings that the README shows are right', () => {
  const [scenario = '', settings = ''] = blocks('yaml')
  expect(readScenarioFile(scenario, 'README', 'bank-transfer')).toHaveProperty('scenario')
  expect(readSettingsFile(settings, 'README')).toHaveProperty('overlay')
})

test('every file the README links to is there', () => {
  for (const [, path = ''] of readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
    expect(readFileSync(join(root, path), 'utf8').length, path).toBeGreaterThan(0)
  }
})
