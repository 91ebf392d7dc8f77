import { describe, expect, test } from 'vitest'
import type { EmulatorEvent, EventStream } from '../../src/index.ts'
import { forms, inEachForm } from './support/forms.ts'

inEachForm('events', (emulator) => {
  test('tell of a client’s things as they were, in order, until the loop is left', async () => {
    const [client, other] = [await emulator().createClient(), await emulator().createClient()]
    const events = await client.events()
    await other.createCheckoutOrder()
    await client.createCheckoutOrder({ requestId: 'r1' })
    await client.clock.advance('1m')
    const told: string[] = []
    for await (const { type, data } of events) {
      if (type === 'order') told.push(`${data.requestId} ${data.orderStatus}`)
      if (type === 'order' && data.orderStatus === 'COMPLETED') break
    }
    expect(told[0]).toBe('r1 CREATED')
    expect(told.at(-1)).toBe('r1 COMPLETED')
  })

  test('end when they are closed, also in the middle of a wait for the next', async () => {
    const client = await emulator().createClient()
    const events = await client.events()
    const all = told(events)
    await events.close()
    expect(await all).toEqual([])
  })
})

describe.each(forms)('events of an emulator %s', (_, begin) => {
  test('end with it', async () => {
    const emulator = await begin()
    const events = await emulator.events()
    const all = told(events)
    await emulator.close()
    expect(await all).toEqual([])
  })
})

async function told(events: EventStream): Promise<EmulatorEvent[]> {
  const all: EmulatorEvent[] = []
  for await (const event of events) all.push(event)
  return all
}
