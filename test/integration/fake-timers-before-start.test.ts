import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

// A process of its own: the engine must not have been loaded yet.
const program = `
  import { mock } from 'node:test'
  import { startEmulator } from ${JSON.stringify(resolve('dist/index.js'))}
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate', 'Date'], now: 0 })
  const emulator = await startEmulator({ clock: 'manual' })
  const client = await emulator.createClient()
  const inbox = await emulator.webhookInbox(client)
  const { requestId } = await client.createCheckoutOrder({ fiatAmount: '10.00', email: 'a@example.com' })
  await client.clock.advance('1h')
  console.log((await inbox.next({ requestId, orderStatus: 'COMPLETED' })).signature)
  await emulator.close()
  process.exit()`

test('A test may fake time between the import and the first start: the engine, loaded by then, keeps the real one', async () => {
  const args = ['--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 10_000 })
  expect(stdout).toBe('ok\n')
})
