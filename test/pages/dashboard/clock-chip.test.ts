import { expect, test } from 'vitest'
import { startFixture, startTestEmulator } from '../../support/emulator.ts'
import { openPage } from '../../support/page.ts'

test('of the only client the clock stands on every page', async () => {
  const page = await openPage(await startTestEmulator(), '/_emulator/')
  expect(page.wordsIn('clock-chip')).toBe('2026-04-21 16:00:00 manual, nothing due')
})

test('of the client that the pages are narrowed to it is moved to what is due next, from where one is', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  await c1.settle()
  const page = await openPage(emulator, '/_emulator/ui/clients?clientId=C1')
  expect(page.wordsIn('clock-chip')).toMatch(/^2026-04-21 16:00:00 manual, next in 2 s To next due/)
  const after = await page.submit('chip-to-next')
  expect(after.path).toMatch(/^\/_emulator\/ui\/clients\?clientId=C1&note=/)
  expect(after.wordsIn('clock-chip')).toMatch(/^2026-04-21 16:00:02 /)
})

test('there is none where several clients are looked at, or one that is gone', async () => {
  const { emulator } = await startFixture()
  expect((await openPage(emulator, '/_emulator/')).html).not.toContain('clock-chip')
  expect((await openPage(emulator, '/_emulator/ui/clocks?clientId=gone')).html).not.toContain(
    'id="clock-chip"',
  )
})
