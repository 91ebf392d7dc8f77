import { expect, test } from 'vitest'
import { inEachForm } from './support/forms.ts'

inEachForm('scenarios', (emulator) => {
  test('are planned for coming orders, and the plan can be taken back', async () => {
    const client = await emulator().createClient()
    const { id } = await client.scenarios.next('fail-9004', { count: 3 })
    await client.scenarios.next('chaos', { requestId: 'later' })
    await client.createCheckoutOrder({ requestId: 'r1' })
    expect(await client.scenarios.planned()).toMatchObject([{ id, remaining: 2 }, { scenario: 'chaos' }])
    await client.scenarios.clearPlanned(id)
    await client.createCheckoutOrder({ requestId: 'r2' })
    const followed = (await client.orders.list()).map(({ scenario }) => scenario.id)
    expect(followed).toEqual(['fail-9004', 'happy'])
  })

  test('that there are not are refused, with the nearest', async () => {
    const client = await emulator().createClient()
    await expect(client.scenarios.next('fail-904')).rejects.toThrow(/Did you mean "fail-9004"/)
  })

  test('that are broken are refused with line and column', async () => {
    const broken = emulator().scenarios.put('broken', 'id: broken\ntimelin: []\n')
    await expect(broken).rejects.toThrow(/broken:2:1: unknown key `timelin`; did you mean `timeline`/)
  })

  test('are explained for the kind of order that is asked for', async () => {
    const { order } = await emulator().scenarios.explain('happy', { kind: 'payout', amount: '7.00' })
    expect(order).toMatchObject({ kind: 'payout', fiatAmount: '7.00' })
  })
})
