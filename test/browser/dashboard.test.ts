import { expect, test } from 'vitest'
import { startTestEmulator } from '../support/emulator.ts'
import { violationsIn } from './support/accessible.ts'
import { visit } from './support/visit.ts'

test('the empty dashboard is accessible and complains about nothing', async () => {
  const emulator = await startTestEmulator()
  const page = await visit(emulator, '/_emulator/')
  expect(await page.title()).toBe('Overview · payment-order-emulator')
  expect(await violationsIn(page)).toEqual([])
})

test('the bare address leads a browser to the dashboard', async () => {
  const emulator = await startTestEmulator()
  const page = await visit(emulator, '/')
  expect(new URL(page.url()).pathname).toBe('/_emulator/')
})
