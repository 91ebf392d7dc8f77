const { useWorld } = require('./world.js')

const world = useWorld('2027-01-31T12:00:00Z')

test('lets readers read while they try it out', async () => {
  await world.subscribe({ trialDays: 7 })
  await world.travel('6d')
  expect(await world.hasAccess()).toBe(true)
  expect(await world.client.orders.list({ orderStatus: 'COMPLETED' })).toHaveLength(0)
})

test('ends when a month is over and the next was not charged', async () => {
  await world.subscribe()
  await world.travel('10s')
  await world.client.orders.cancelSubscription('reader-1')
  await world.travel('P1M')
  expect(await world.hasAccess()).toBe(true)
  await world.travel('1d')
  expect(await world.hasAccess()).toBe(false)
})
