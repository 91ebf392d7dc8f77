import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
// `startEmulator` loads it late; on a busy machine that would take longer than a test may.
import '../../src/app/emulator.ts'
import { connectEmulator, EmulatorNotStarted, startEmulator } from '../../src/index.ts'
import { aFolder } from '../support/folder.ts'

/** A file in a folder of its own. */
function aFile(name: string, text: string): string {
  const path = join(aFolder(), name)
  writeFileSync(path, text)
  return path
}

async function aTakenPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())))
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

/** The resources that keep this process alive, numbered: `Timeout 1`, `Timeout 2`. */
function open(): string[] {
  const counts = new Map<string, number>()
  return process.getActiveResourcesInfo().map((kind) => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    return `${kind} ${counts.get(kind)}`
  })
}

/** Whatever comes, as from JavaScript, where no types are checked. */
const options = (members: object): object => members

test.each([
  [{ clok: 'manual' }, 'unknown option `clok`; did you mean `clock`?'],
  [{ webhookUrl: 'http://127.0.0.1:1' }, 'unknown option `webhookUrl`'],
  [{ port: '80' }, 'port: '],
  [{ clock: 'fast' }, 'expected `real`, `manual` or a speed like `60x`, not "fast"'],
  [{ startTime: 'yesterday' }, 'startTime: '],
  [{ scenarios: 'mine.yaml' }, 'scenarios: '],
  [{ settings: { 'orders.expiri': '5m' } }, 'did you mean `orders.expiry`?'],
  [{ webhookAllow: ['http://a'] }, 'must be a host, an IP address or a range like 10.0.0.0/8'],
  [{ host: '192.0.2.1' }, 'host: this machine has no address 192.0.2.1'],
  [{ scenarios: ['/nowhere/x.yaml'] }, '/nowhere/x.yaml'],
  [
    { fixtures: ['busy'] },
    'startEmulator: there is no fixture file "busy", and no built-in fixture with that name; built-in fixtures are busy-merchant',
  ],
  [{ database: '/nowhere/x.db' }, '/nowhere'],
])('startEmulator(%j) says what is wrong', async (members, words) => {
  const starting = startEmulator(options(members))
  await expect(starting).rejects.toThrow(EmulatorNotStarted)
  await expect(starting).rejects.toThrow(/^startEmulator: /)
  await expect(starting).rejects.toThrow(words)
})

test.each([null, []])('startEmulator(%j) is told to want options', async (nothing) => {
  const starting = Reflect.apply(startEmulator, null, [nothing])
  await expect(starting).rejects.toThrow('startEmulator: expected an object of options, not')
})

test.each([() => startEmulator(), () => connectEmulator('http://127.0.0.1:1')])(
  '%o names a global that is missing',
  async (begin) => {
    vi.stubGlobal('WebAssembly', undefined)
    onTestFinished(() => void vi.unstubAllGlobals())
    await expect(begin()).rejects.toThrow('the global `WebAssembly` of Node is missing')
  },
)

test('it does not start on Bun, and says what to do', async () => {
  vi.stubGlobal('process', Object.create(process, { versions: { value: { bun: '1.4.5' } } }))
  onTestFinished(() => void vi.unstubAllGlobals())
  await expect(startEmulator()).rejects.toThrow(
    /does not run on Bun 1\.4\.5\. Run the tests with Node [\d.]+ or later/,
  )
})

test('a scenario file that is broken is told with its line', async () => {
  const file = aFile('broken.yaml', 'id: broken\ntimelin: []\n')
  await expect(startEmulator({ scenarios: [file] })).rejects.toThrow(`${file}:2:1: unknown key \`timelin\``)
})

test('a fixture that is broken is told with its line', async () => {
  const file = aFile('world.yaml', 'clients:\n  - clientID: shop\n')
  await expect(startEmulator({ fixtures: [file] })).rejects.toThrow(`${file}:2:5: `)
})

test('a file that is no database is left as it is', async () => {
  const file = aFile('notes.db', 'not a database, but long enough to be looked at as one')
  await expect(startEmulator({ database: file })).rejects.toThrow(file)
})

test('a taken port is told, and nothing stays open', async () => {
  const port = await aTakenPort()
  const before = new Set(open())
  const starting = startEmulator({ port })
  await expect(starting).rejects.toThrow(`port ${port} of 127.0.0.1 is in use; leave out \`port\``)
  await expect(starting).rejects.toMatchObject({ cause: { code: 'EADDRINUSE' } })
  // An immediate is over in a moment, and keeps nothing alive.
  const left = open().filter((each) => !before.has(each) && !each.startsWith('Immediate'))
  expect(left).toEqual([])
})

test('options that are undefined count as left out', async () => {
  await using emulator = await startEmulator({ port: undefined, clock: undefined, seed: undefined })
  expect(emulator.url).not.toContain(':4600')
})
