import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startProgram } from '../../hard/support/program.ts'
import { emulatorAt } from '../../support/emulator.ts'
import { run } from './programs.ts'

const example = join(import.meta.dirname, '../../../examples/generated-client/typescript')
const folder = mkdtempSync(join(tmpdir(), 'poe-generated-'))
afterAll(() => rmSync(folder, { recursive: true }))

const { url, child, exited } = await startProgram([], { atEnd: afterAll })
const emulator = emulatorAt(url, async () => {
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
})
afterAll(() => emulator.close())

const npm = (...args: string[]) =>
  run(['npm', ...args], { PAYMENT_ORDER_BASE_URL: url }, { folder, timeoutMs: 120_000 })

beforeAll(async () => {
  cpSync(example, folder, { recursive: true })
  expect(await npm('ci')).toMatchObject({ exitCode: 0 })
})

test('clients generated from both documents fit the types and drive an order from its creation to its refund', async () => {
  const ended = await npm('test')
  expect(ended).toMatchObject({
    exitCode: 0,
    out: expect.stringContaining('paid, completed, partly refunded'),
  })
})

test('the generated types refuse an amount that is a number', async () => {
  const file = join(folder, 'order-life.ts')
  const right = readFileSync(file, 'utf8')
  onTestFinished(() => writeFileSync(file, right))
  writeFileSync(file, right.replace("fiatAmount: '10.00'", 'fiatAmount: 10.0'))
  const ended = await npm('run', 'check')
  const refusal = "Type 'number' is not assignable to type 'string'"
  expect(ended).toMatchObject({ exitCode: 2, out: expect.stringContaining(refusal) })
})

test('the order’s life ends with an error where the service wants another signature', async () => {
  await emulator.control('/settings', 'PATCH', { 'signature.checkout': 'with-currency' })
  const ended = await npm('start')
  expect(ended).toMatchObject({ exitCode: 1, err: expect.stringContaining('Client verification failed') })
})
