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

const waiting = `
  import { startEmulator } from ${JSON.stringify(resolve('dist/index.js'))}
  const emulator = await startEmulator({ listen: false })
  await emulator.faults.plan({ on: 'orders', when: 'unchecked', effect: { hang: 'forever' } })
  // A signal's timer keeps nothing alive.
  const signal = AbortSignal.timeout(100)
  await emulator.fetch(emulator.url + '/v1/client/orders', { signal }).catch(({ name }) => console.log(name))`

test('A program lives as long as it waits for an answer of an emulator without a port, and no longer', async () => {
  const args = ['--input-type=module', '--eval', waiting]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 20_000 })
  expect(stdout).toBe('TimeoutError\n')
})

test.each([
  ['with a port', '{}'],
  ['without a port', '{ listen: false }'],
])('A program whose emulator %s has closed ends by itself, at once', async (_, options) => {
  const args = ['--input-type=module', '--eval', program(options)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 20_000 })
  const { closeMs, exitMs } = JSON.parse(stdout)
  // Half of the time in which the next thing is due: what waited for it would take longer.
  expect(closeMs).toBeLessThan(1_000)
  expect(exitMs).toBeLessThan(1_000)
})
