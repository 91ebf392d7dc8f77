import { expect, test } from 'vitest'
import { startTestEmulator } from '../support/emulator.ts'
import { openPage } from '../support/page.ts'

test('a browser names its true origin when it sends a form of the dashboard, and tells other sites nothing', async () => {
  const { headers } = await openPage(await startTestEmulator(), '/_emulator/')
  // With `no-referrer` it would say `Origin: null`, which is refused.
  expect(headers['referrer-policy']).toBe('same-origin')
})
