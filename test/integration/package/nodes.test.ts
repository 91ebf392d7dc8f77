import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { nodeOf } from '../support/nodes.ts'
import type { Project } from '../support/project.ts'
import { run } from '../support/run.ts'
import { installed, offline } from './support/installed.ts'

/** The oldest that is supported, and the newest of the later lines. */
const supported = [manifest.engines.node.replace('>=', ''), '24', '26']
const tooOld = ['18', '20']

const exampleForNode = new URL('../../../examples/node-test/webhooks.test.mjs', import.meta.url)

const anOrdersLife = `
  const client = await emulator.createClient()
  const created = await client.createCheckoutOrder({ fiatAmount: '10.00', email: 'a@example.com' })
  await client.clock.advance('1h')
  const [order] = await client.orders.list()
  await emulator.close()
  console.log(created.status, order.orderStatus)`

let project: Project
beforeAll(async () => {
  await Promise.all([...supported, ...tooOld].map(nodeOf))
  project = await installed()
  project.write({
    'library.mjs': `
      import { startEmulator } from 'payment-order-emulator'
      const emulator = await startEmulator({ clock: 'manual' })
      ${anOrdersLife}`,
    'library.cjs': `
      const { startEmulator } = require('payment-order-emulator')
      startEmulator({ clock: 'manual' }).then(async (emulator) => {
        ${anOrdersLife}
      })`,
    'remote.mjs': `
      import { connectEmulator } from 'payment-order-emulator'
      const emulator = await connectEmulator(process.env.PAYMENT_ORDER_BASE_URL)
      ${anOrdersLife}`,
    'own-fetch.mjs': `
      import { startEmulator } from 'payment-order-emulator'
      const webhookFetch = async (request) => {
        console.log(request instanceof Request, (await new Request(request).json()).orderStatus)
        return new Response()
      }
      const emulator = await startEmulator({ clock: 'manual', listen: false, webhookFetch })
      const client = await emulator.createClient({ webhookUrl: 'http://shop.test/hooks' })
      await client.createCheckoutOrder()
      await client.clock.settle()
      console.log(await emulator.fetch(emulator.url + '/_emulator/health') instanceof Response)
      await emulator.close()`,
    'webhooks.test.mjs': readFileSync(exampleForNode, 'utf8'),
    'abroad.mjs': `await fetch('http://192.0.2.1/')`,
  })
})

describe.for(supported)('offline on Node %s', (range) => {
  test.for(['library.mjs', 'library.cjs'])('%s runs an order’s life in this process', async (script) => {
    expect(await runNode(range, script)).toEqual({ code: 0, out: 'CREATED COMPLETED\n', err: '' })
  })

  test('emulator.fetch answers a Response of Node’s own, and webhookFetch gets a Request of it', async () => {
    expect(await runNode(range, 'own-fetch.mjs')).toEqual({ code: 0, out: 'true CREATED\ntrue\n', err: '' })
  })

  test('the example for node:test passes, copied out of the package', async () => {
    const { code, out } = await runNode(range, '--test', 'webhooks.test.mjs')
    expect([code, out]).toEqual([0, expect.stringMatching(/pass 3\b/)])
  })

  test('npx payment-order-emulator serves a command', async () => {
    const [node, cwd] = [await nodeOf(range), project.path]
    const args = ['--no-install', 'payment-order-emulator', 'exec', '--clock', 'manual', '--', 'node']
    const { code, out } = await run('npx', [...args, 'remote.mjs'], { node, cwd, env: offline })
    expect([code, out]).toEqual([0, expect.stringContaining('CREATED COMPLETED\n')])
  })
})

describe.for(tooOld)('Node %s is too old', (range) => {
  const line = new RegExp(
    `payment-order-emulator needs Node ${manifest.engines.node.slice(2)} or later, and this is ${range}\\.`,
  )

  test('for the program, which says so in one line and ends with 2', async () => {
    const { code, out, err } = await runNode(range, join('node_modules', '.bin', 'payment-order-emulator'))
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(line)
    expect(err.trim().split('\n')).toHaveLength(1)
  })

  test.for(['library.mjs', 'library.cjs'])('for %s, where the error says so', async (script) => {
    const { code, err } = await runNode(range, script)
    expect(code).toBe(1)
    expect(err).toMatch(new RegExp(`Error: ${line.source}`))
  })
})

test('a machine for which there is no SQLite is told so in one line, and the program ends with 2', async () => {
  project.write({ 'elsewhere.cjs': `Object.defineProperty(process, 'platform', { value: 'sunos' })` })
  const program = join('node_modules', '.bin', 'payment-order-emulator')
  const { code, out, err } = await run(await nodeOf('24'), ['--require', './elsewhere.cjs', program], {
    cwd: project.path,
  })
  expect([code, out]).toEqual([2, ''])
  expect(err).toMatch(/^error: This package has no SQLite for sunos \w+: .+\n$/)
})

test('a program that goes elsewhere would not pass', async () => {
  expect(await runNode('24', 'abroad.mjs')).toEqual({ code: 99, out: '', err: 'connects to 192.0.2.1\n' })
})

async function runNode(range: string, ...args: string[]) {
  const node = await nodeOf(range)
  return run(node, args, { node, cwd: project.path, env: offline })
}
