import { expect, test } from 'vitest'
import { inEachForm } from './support/forms.ts'

const minuteMs = 60_000

inEachForm('the clock of a client', (emulator) => {
  test('moves to a moment, however that is written', async () => {
    const { clock } = await emulator().createClient()
    const begin = await clock.now()
    await clock.advanceTo(begin + minuteMs)
    await clock.advanceTo(new Date(begin + 2 * minuteMs))
    const ledger = await clock.advanceTo(new Date(begin + 3 * minuteMs).toISOString())
    expect(ledger.now).toBe(begin + 3 * minuteMs)
  })

  test('says what is due, goes there, and no further', async () => {
    const client = await emulator().createClient()
    await client.createCheckoutOrder({ requestId: 'r1' })
    await client.clock.settle()
    const [due] = await client.clock.due()
    const ledger = await client.clock.advanceToNext()
    expect(due?.next).toMatchObject({ requestId: 'r1', what: 'step', dueAt: ledger.now })
  })

  test('refuses a moment in the past in words, and stays', async () => {
    const { clock } = await emulator().createClient()
    const begin = await clock.now()
    await expect(clock.advanceTo(begin - 1)).rejects.toMatchObject({ status: 409, code: 'clock_in_past' })
    expect(await clock.now()).toBe(begin)
  })

  test('refuses what is no duration, naming what it got', async () => {
    const { clock } = await emulator().createClient()
    await expect(clock.advance('soon')).rejects.toThrow(/POST \/_emulator\/clock\/advance answered 400.*soon/)
  })

  test('ends an advance that takes too long, with the ledger so far', async () => {
    const client = await emulator().createClient()
    await client.createSubscriptionOrder()
    const late = client.clock.advance('P900Y', { timeoutMs: 1 })
    await expect(late).rejects.toMatchObject({ status: 504, body: { transitions: expect.any(Array) } })
  })

  test('runs to no more due moments than it is told', async () => {
    const client = await emulator().createClient()
    await client.createSubscriptionOrder()
    await expect(client.clock.runUntilIdle({ limit: 5 })).resolves.toMatchObject({
      nextDueAt: expect.any(Number),
    })
  })

  test('runs where it is told to, and tells how', async () => {
    const { clock } = await emulator().createClient()
    await clock.set({ mode: 'real', speed: 60 })
    expect(await clock.read()).toMatchObject({ mode: 'real', speed: 60 })
  })
})

inEachForm('the clock of all', (emulator) => {
  test('moves every client, and tells of each', async () => {
    const [one, two] = [await emulator().createClient(), await emulator().createClient()]
    await two.clock.advance('1h')
    const before = [await one.clock.now(), await two.clock.now()]
    const ledger = await emulator().clock.advance('10m')
    const moved = ledger.clients?.filter(({ clientId }) => [one.clientId, two.clientId].includes(clientId))
    expect(moved?.map(({ now }) => now).toSorted()).toEqual(before.map((at) => at + 10 * minuteMs).toSorted())
    expect((await emulator().clock.read()).clients.length).toBeGreaterThanOrEqual(2)
  })
})
