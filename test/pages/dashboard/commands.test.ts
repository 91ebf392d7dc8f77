import { expect, test } from 'vitest'
import { startTestEmulator } from '../../support/emulator.ts'
import { openPage, showCommands } from '../../support/page.ts'

test('buttons show their commands once this is switched on, and hide them again', async () => {
  const emulator = await startTestEmulator()
  const page = await openPage(emulator, '/_emulator/ui/clients?clientId=demo-client')
  expect(page.html).not.toContain('curl -X')
  const cookie = await showCommands(emulator)
  const shown = await openPage(emulator, '/_emulator/ui/clients', cookie)
  expect(shown.html).toContain('curl -X POST')
  expect(shown.form('commands').fields).toContainEqual(['shown', 'false'])
  const { headers, status } = await emulator.send('/_emulator/ui/commands', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'shown=false&back=%2F_emulator%2Fui%2Ffaults%3FclientId%3DC1',
  })
  expect([status, headers.location]).toEqual([303, '/_emulator/ui/faults?clientId=C1'])
  expect(String(headers['set-cookie'])).toMatch(
    /-commands=hidden; Max-Age=\d+; Path=\/_emulator; HttpOnly; SameSite=Strict$/,
  )
})

test('the way back leads to no other site', async () => {
  const emulator = await startTestEmulator()
  const { headers } = await emulator.send('/_emulator/ui/commands', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'shown=true&back=%2F%2Fevil.example%2F',
  })
  expect(headers.location).toBe('/_emulator/')
})
