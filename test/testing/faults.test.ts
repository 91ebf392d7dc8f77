import { expect, test } from 'vitest'
import { ControlCallRefused } from '../../src/index.ts'
import { inEachForm } from './support/forms.ts'

inEachForm('faults', (emulator) => {
  test('that make no sense are refused in words', async () => {
    const client = await emulator().createClient()
    const nonsense = client.faults.plan({ on: 'delivery', effect: { status: 503 } })
    await expect(nonsense).rejects.toThrow(ControlCallRefused)
  })

  test('meet the calls of their client alone, as often as they say', async () => {
    const [one, two] = [await emulator().createClient(), await emulator().createClient()]
    const { id } = await one.faults.plan({ on: 'create-order', effect: { status: 500 }, times: 2 })
    await two.createCheckoutOrder()
    await expect(one.createCheckoutOrder()).rejects.toMatchObject({ status: 500 })
    expect(await one.faults.get(id)).toMatchObject({ hits: 1, over: false })
    await one.faults.clear()
    await one.createCheckoutOrder()
  })
})
