import { expect, test } from 'vitest'
import { ControlCallRefused, startEmulator } from '../../src/index.ts'
import { inEachForm } from './support/forms.ts'

inEachForm('a world', (emulator) => {
  test('of one client goes on in another emulator', async () => {
    const client = await emulator().createClient({ clientId: 'traveller' })
    const { requestId } = await client.createCheckoutOrder()
    const snapshot = await client.snapshot()
    await using other = await startEmulator({ listen: false })
    expect(await other.restore(snapshot)).toEqual(['traveller'])
    const there = await other.client('traveller')
    expect((await there.clock.advance('1m')).transitions.at(-1)).toMatchObject({ requestId, to: 'COMPLETED' })
  })

  test('of another client is refused', async () => {
    const [one, two] = [await emulator().createClient(), await emulator().createClient()]
    await expect(two.restore(await one.snapshot())).rejects.toMatchObject({ code: 'snapshot_invalid' })
  })

  test('is empty after a reset, and its client still good', async () => {
    const client = await emulator().createClient()
    await client.createCheckoutOrder({ requestId: 'r1' })
    await client.reset()
    await client.createCheckoutOrder({ requestId: 'r1' })
    expect(await client.orders.list()).toHaveLength(1)
  })

  test('tells of users and numbers', async () => {
    const client = await emulator().createClient()
    await client.createCheckoutOrder({ email: 'ada@example.com' })
    expect(await client.users()).toMatchObject([{ email: 'ada@example.com', orders: 1 }])
    const { clients } = await client.status()
    expect(clients).toMatchObject([{ clientId: client.clientId, orders: { CREATED: 1 } }])
  })

  test('has settings by name, and refuses names that there are not', async () => {
    const client = await emulator().createClient()
    const { effective } = await client.changeSettings({ 'orders.expiry': '5m' })
    expect(effective).toMatchObject({ 'orders.expiry': '5m' })
    await expect(client.changeSettings({ 'orders.expiri': '5m' })).rejects.toThrow(
      /did you mean `orders.expiry`/,
    )
  })

  test('of a fixture is there under its clients’ names, once', async () => {
    await emulator().loadShippedFixture('empty')
    await expect(emulator().loadShippedFixture('empty')).rejects.toThrow(ControlCallRefused)
    await emulator().loadShippedFixture('empty', { replace: true })
    expect((await emulator().client('shop')).apiSecret).toBe('shop-secret')
    await expect(emulator().loadFixture('clients: [{}]')).rejects.toThrow(/clientId/)
  })
})
