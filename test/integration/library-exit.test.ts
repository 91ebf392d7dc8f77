import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const program = (options: string) => `
  import { startEmulator } from ${JSON.stringify(resolve('dist/index.js'))}
  const emulator = await startEmulator(${options})
  const client = await emulator.createClient()
  // Its next step is due in two seconds.
  await client.createCheckoutOrder({ fiatAmount: '10.00', email: 'a@example.com' })
  await (await emulator.fetch(emulator.url)).text()
  const closing = performance.now()
  await emulator.close()
  const closed = performance.now()
  process.on('exit', () => console.log(JSON.stringify({ closeMs: closed - closing, exitMs: performance.now() - closed })))`

test.each([
  ['with a port', '{}'],
  ['without a port', '{ listen: false }'],
])('A program whose emulator %s has closed ends by itself, at once', async (_, options) => {
  const args = ['--input-type=module', '--eval', program(options)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 20_000 })
  const { closeMs, exitMs } = JSON.parse(stdout)
  expect(closeMs).toBeLessThan(200)
  expect(exitMs).toBeLessThan(200)
})
