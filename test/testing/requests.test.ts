import { expect, test } from 'vitest'
import { NotAsExpected } from '../../src/index.ts'
import { inEachForm } from './support/forms.ts'

inEachForm('requests', (emulator) => {
  test('are verified to be few enough', async () => {
    const client = await emulator().createClient()
    expect(await client.requests.verify({ operation: 'orders' }, { atMost: 0 })).toBe(0)
    await client.fiatOrders('r1')
    const tooMany = client.requests.verify({ operation: 'orders' }, { atMost: 0 })
    await expect(tooMany).rejects.toThrow(NotAsExpected)
    await expect(tooMany).rejects.toThrow('not exactly 0')
  })

  test('are refused for a number that contradicts another', async () => {
    const client = await emulator().createClient()
    const nonsense = client.requests.verify({}, { count: 1, atLeast: 1 })
    await expect(nonsense).rejects.toMatchObject({ code: 'invalid_input' })
  })

  test('are listed by a status that is a number', async () => {
    const client = await emulator().createClient()
    await client.send({ method: 'GET', path: '/v1/client/orders', headers: { 'access-token': 'wrong' } })
    await client.fiatOrders('r1')
    expect(await client.requests.list({ status: 200 })).toHaveLength(1)
  })
})
