import { expect, test } from 'vitest'
import { startTestEmulator } from '../../support/emulator.ts'
import { openPage } from '../../support/page.ts'

test('no two things on the page of causes have the same id', async () => {
  const { html } = await openPage(await startTestEmulator(), '/_emulator/ui/causes')
  const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})
