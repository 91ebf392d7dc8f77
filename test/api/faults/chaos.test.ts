import { expect, test } from 'vitest'
import { startTestEmulator } from '../../support/emulator.ts'

const requestIds = Array.from({ length: 12 }, (_, n) => `r${n}`)

/** The draws for a dozen orders, from the request log. */
async function drawnUnder(seed: string): Promise<(string | undefined)[]> {
  const emulator = await startTestEmulator({ seed })
  const client = await emulator.addClient({ clientId: 'C1', defaultScenario: 'chaos' })
  const calls = requestIds.map((requestId) => client.createCheckout(requestId).catch(() => null))
  // Held answers leave with the clock.
  for (let tries = 0; tries < 20; tries++) await client.advance('1m')
  await Promise.all(calls)
  const { items } = await emulator.control('/requests?clientId=C1')
  return requestIds.map((requestId) => {
    const { notes } = items.find((entry) => entry.requestId === requestId) ?? {}
    return Array.isArray(notes) ? notes.find((note) => note.includes(' chose, by the seed')) : undefined
  })
}

test('the journal says what chaos has drawn for an order, and by which seed', async () => {
  for (const note of await drawnUnder('a seed')) {
    expect(note).toMatch(/^scenario: chaos chose, by the seed "a seed": \w/)
  }
})

test('a seed draws the same again, and another seed something else', async () => {
  const drawn = await drawnUnder('one')
  expect(await drawnUnder('one')).toEqual(drawn)
  expect(await drawnUnder('two')).not.toEqual(drawn)
})
