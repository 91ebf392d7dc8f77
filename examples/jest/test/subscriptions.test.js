const { useWorld } = require('./world.js')

const world = useWorld('2027-01-31T12:00:00Z')

test('locks those out who have tried it and not paid', async () => {
  await world.client.scenarios.next('never-pays')
  await world.subscribe({ trialDays: 7 })
  await world.travel('8d')
  expect(await world.hasAccess()).toBe(false)
})

test('takes access away for the month that was not paid, and gives it back with the next', async () => {
  await world.client.scenarios.next('sub-month3-fails')
  await world.subscribe({ trialDays: 7 })
  const access = []
  for (let month = 1; month <= 4; month++) {
    await world.travel(month === 1 ? '8d' : 'P1M')
    access.push(await world.hasAccess())
  }
  expect(access).toEqual([true, true, false, true])
})

test('leaves no gap at the ends of months, short or long', async () => {
  await world.subscribe()
  const gaps = []
  // At midnight, because charges come at noon.
  for (let day = 1; day <= 95; day++) {
    await world.travel(day === 1 ? '12h' : '1d')
    if (!(await world.hasAccess())) gaps.push(day)
  }
  expect(gaps).toEqual([])
})

test('counts a month once, however often it is told of it', async () => {
  await world.client.faults.plan({ on: 'delivery', effect: { duplicate: 2 }, times: 10 })
  await world.subscribe()
  await world.travel('10s')
  await world.client.orders.cancelSubscription('reader-1')
  await world.travel('P1M')
  await world.travel('1d')
  expect(await world.hasAccess()).toBe(false)
})

test('believes no webhook that is not signed', async () => {
  await world.subscribe()
  const event = { requestId: 'reader-1', orderStatus: 'COMPLETED' }
  const { attempts } = await world.client.deliveries.send({ event, sign: 'wrong' })
  expect(attempts).toMatchObject([{ outcome: 'refused', status: 401 }])
})
