import { expect, test } from 'vitest'
import { startTestEmulator } from '../../support/emulator.ts'
import { openPage } from '../../support/page.ts'

test('a page that is not there leads to the list in which it would stand', async () => {
  const emulator = await startTestEmulator()
  for (const [path, words, list] of [
    ['/ui/orders/gone', 'Go to Orders', '/_emulator/ui/orders'],
    ['/ui/deliveries/gone?clientId=demo-client', 'Go to Webhooks', '/_emulator/ui/deliveries'],
    ['/ui/scenarios/gone', 'Go to Scenarios', '/_emulator/ui/scenarios'],
    ['/ui/gone', 'Go to Overview', '/_emulator/'],
  ] as const) {
    const page = await openPage(emulator, `/_emulator${path}`)
    expect([path, page.status, page.links(words)]).toEqual([path, 404, [list]])
  }
})
