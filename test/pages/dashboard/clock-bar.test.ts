import { expect, test } from 'vitest'
import { startFixture, startTestEmulator } from '../../support/emulator.ts'
import { openPage } from '../../support/page.ts'

test('the clock of the only client stands on every page', async () => {
  const page = await openPage(await startTestEmulator(), '/_emulator/ui/settings')
  expect(page.wordsIn('clock-bar')).toMatch(/^2026-04-21 16:00:00 UTC, manual Run .* Nothing is due$/)
})

test('the clock of the selected client moves to its next event, and the page stays', async () => {
  const { emulator, c1, c2 } = await startFixture()
  await c1.createCheckout('r1')
  await c1.settle()
  const page = await openPage(emulator, '/_emulator/ui/clients?clientId=C1')
  expect(page.wordsIn('clock-bar')).toContain('Next event (in 2 s)')
  const after = await page.submit('bar-next')
  expect(after.path).toMatch(/^\/_emulator\/ui\/clients\?clientId=C1&note=/)
  expect(after.wordsIn('clock-bar')).toMatch(/^2026-04-21 16:00:02 UTC, manual .*Next event \(in 3 s\)/)
  expect(new Date(await c2.now()).toISOString()).toBe('2026-04-21T16:00:00.000Z')
})

test('several clocks move together, to the event that is reached first', async () => {
  const { emulator, c1, c2 } = await startFixture()
  await c2.advance('1d')
  await c1.createCheckout('r1')
  await c1.settle()
  const page = await openPage(emulator, '/_emulator/ui/faults')
  expect(page.wordsIn('clock-bar')).toMatch(/^3 clocks in UTC: manual Run .*Next event \(in 2 s\)$/)
  await page.submit('bar-next')
  expect(await Promise.all([c1.now(), c2.now()])).toEqual(
    ['2026-04-21T16:00:02Z', '2026-04-22T16:00:02Z'].map(Date.parse),
  )
})

test.each([
  ['bar-run', { mode: 'real', speed: 1 }],
  ['bar-60x', { mode: 'real', speed: 60 }],
])('%s sets all clocks, and those of new clients', async (form, expected) => {
  const { emulator } = await startFixture()
  const after = await (await openPage(emulator, '/_emulator/ui/faults')).submit(form)
  const { clients } = Object((await emulator.control('/clock')).json)
  expect(clients).toEqual(Array(3).fill(expect.objectContaining(expected)))
  expect((await emulator.control('/clock')).json).toMatchObject(expected)
  const paused = await after.submit('bar-pause')
  expect(paused.wordsIn('clock-bar')).toMatch(/^3 clocks in UTC: manual Run/)
})

test('clocks of different paces are counted by pace, and can be paused', async () => {
  const { emulator } = await startFixture()
  await emulator.control('/clock?clientId=C1', 'PUT', { mode: 'real', speed: 60 })
  const page = await openPage(emulator, '/_emulator/')
  expect(page.wordsIn('clock-bar')).toMatch(/^3 clocks in UTC: 2 manual, 1 60x Pause /)
})

test('clocks that are too many to read can be moved, and nothing is said about their events', async () => {
  const { emulator } = await startFixture()
  for (let n = 0; n < 20; n += 1) await emulator.control('/clients', 'POST', {})
  const page = await openPage(emulator, '/_emulator/')
  expect(page.wordsIn('clock-bar')).toMatch(/^All clocks, in UTC .* Next event$/)
})

test('there is no bar for a client that is gone', async () => {
  const { emulator } = await startFixture()
  expect((await openPage(emulator, '/_emulator/ui/clocks?clientId=gone')).html).not.toContain('clock-bar"')
})
