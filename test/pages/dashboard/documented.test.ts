import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dashboardPages } from '../../../src/pages/dashboard/dashboard.tsx'
import { startTestEmulator } from '../../support/emulator.ts'
import { openPage } from '../../support/page.ts'

const text = readFileSync(join(import.meta.dirname, '../../../docs/how-to/dashboard.md'), 'utf8')
const addresses = new Set([...text.matchAll(/\/_emulator\/[^\s`)|]*/g)].map(([address]) => address))

test('docs/how-to/dashboard.md has every page of the dashboard', () => {
  const told = [...addresses].map((address) => address.replace('/_emulator', '').replace(/\{(\w+)\}/, ':$1'))
  expect(dashboardPages.map(({ path }) => path).filter((path) => !told.includes(path))).toEqual([])
})

test('every address in docs/how-to/dashboard.md opens a page', async () => {
  const emulator = await startTestEmulator()
  for (const address of [...addresses].filter((address) => !address.includes('{')))
    expect([address, (await openPage(emulator, address)).status]).toEqual([address, 200])
})
