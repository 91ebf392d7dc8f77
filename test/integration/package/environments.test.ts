import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startEmulator } from '../../../src/index.ts'
import { aProject, type Project } from '../support/project.ts'
import { run } from '../support/run.ts'
import { packed } from '../support/tarball.ts'

const underVitest = `
  import { createRequire } from 'node:module'
  import * as library from 'payment-order-emulator'
  import { test } from 'vitest'
  import { playOrders } from './any-environment.cjs'

  const { RUNNING_AT: runningAt } = process.env
  test('as a module', () => playOrders(library, { runningAt }), 30_000)
  test('required', () => playOrders(createRequire(import.meta.url)('payment-order-emulator')), 30_000)`

let project: Project
beforeAll(async () => {
  project = aProject()
  const tools = ['vitest@4', 'happy-dom@21', 'jsdom@29', 'node-fetch@3', 'deno@2', 'bun@1']
  await project.install(...tools, await packed())
  for (const name of ['any-environment.cjs', 'replaced-globals.mjs'])
    copyFileSync(join(import.meta.dirname, 'support', name), join(project.path, name))
  project.write({
    'orders.test.mjs': underVitest,
    'node-fetch.mjs': `
      import fetch, { Blob, File, FormData, Headers, Request, Response } from 'node-fetch'
      Object.assign(globalThis, { fetch, Blob, File, FormData, Headers, Request, Response })`,
    'play.mjs': `
      import * as library from 'payment-order-emulator'
      import { playOrders } from './any-environment.cjs'
      await playOrders(library, { runningAt: process.env.RUNNING_AT })
      console.log('played')`,
    'start.mjs': `
      import { startEmulator } from 'payment-order-emulator'
      await startEmulator().catch(({ name, message }) => console.log(name + ': ' + message))`,
    'connect.mjs': `
      import { connectEmulator } from 'payment-order-emulator'
      const emulator = await connectEmulator(process.env.RUNNING_AT)
      const client = await emulator.createClient()
      const inbox = await emulator.webhookInbox(client)
      await client.createCheckoutOrder({ requestId: 'r1' })
      console.log((await inbox.next({ requestId: 'r1' })).signature)
      await emulator.close()`,
  })
})

/** Runs a command in the project, beside an emulator that runs elsewhere. */
async function runBeside(command: string, ...args: string[]) {
  const emulator = await startEmulator({ clock: 'manual' })
  onTestFinished(() => emulator.close())
  return run(command, args, { cwd: project.path, env: { RUNNING_AT: emulator.url } })
}

const bin = (name: string): string => join(project.path, 'node_modules', '.bin', name)

describe.for(['happy-dom', 'jsdom'])('vitest with the globals of %s', (environment) => {
  test.for(['forks', 'vmThreads'])('plays orders in %s', async (pool) => {
    const args = ['run', '--environment', environment, '--pool', pool]
    const { code, out, err } = await runBeside(bin('vitest'), ...args)
    expect(err).toBe('')
    expect(out).toMatch(/Tests.*2 passed/)
    expect(code).toBe(0)
  })
})

const ofFetch = ['fetch', 'Request', 'Response', 'Headers', 'FormData']
const ofTheWeb = [
  ...['URL', 'URLSearchParams', 'AbortController', 'AbortSignal', 'TextEncoder', 'TextDecoder', 'Blob'],
  ...['File', 'ReadableStream', 'TransformStream', 'Event', 'EventTarget', 'DOMException', 'performance'],
  ...['structuredClone', 'crypto', 'Buffer', 'Uint8Array', 'ArrayBuffer'],
]
/** The groups of replaced globals: those of fetch one by one, because a replaced one may meet a real one; the others
 *  together, because any use would throw. */
const groups = [...ofFetch, ofTheWeb.join(), [...ofFetch, ...ofTheWeb, 'queueMicrotask'].join()]

describe.for(['a stand-in', 'nothing'])('where %s is in the place of', (how) => {
  test.for(groups)('%s, orders are played', (names) => played('replaced-globals.mjs', how, names))
})

test('orders are played where classes have been replaced by subclasses', () =>
  played('replaced-globals.mjs', 'a subclass', 'Request,Response,Headers,URL,AbortController,ReadableStream'))

test('orders are played where node-fetch is in the place of fetch', () =>
  played('--import', './node-fetch.mjs', 'play.mjs'))

async function played(...args: string[]) {
  expect(await runBeside(process.execPath, ...args)).toEqual({ code: 0, out: 'played\n', err: '' })
}

test('orders are played on Deno', async () => {
  expect(await runBeside(bin('deno'), 'run', '--allow-all', 'play.mjs')).toMatchObject({
    code: 0,
    out: 'played\n',
  })
})

test('a Node without WebAssembly is told that it lacks it', async () => {
  const { out } = await run(process.execPath, ['--jitless', 'start.mjs'], { cwd: project.path })
  expect(out).toMatch(/^EmulatorNotStarted: startEmulator: the global `WebAssembly` .+`--jitless`\n$/)
})

describe('on Bun', () => {
  test('the program says in one line that it does not run there, and ends with 2', async () => {
    const { code, out, err } = await runBeside(bin('bun'), '--bun', bin('payment-order-emulator'))
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(
      /^payment-order-emulator does not run on Bun, .+ Run it with Node [\d.]+ or later.+\n$/,
    )
  })

  test('startEmulator says so too, and what to do', async () => {
    const { out } = await runBeside(bin('bun'), 'start.mjs')
    expect(out).toMatch(
      /^EmulatorNotStarted: startEmulator: an emulator does not run on Bun [\d.]+\. Run the/,
    )
  })

  test('connectEmulator reaches one that runs elsewhere', async () => {
    expect(await runBeside(bin('bun'), 'connect.mjs')).toEqual({ code: 0, out: 'ok\n', err: '' })
  })
})
