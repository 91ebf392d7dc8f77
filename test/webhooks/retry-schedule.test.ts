import { describe, expect, test } from 'vitest'
import { startFixture } from '../support/emulator.ts'
import { startReceiver } from '../support/receiver.ts'
import { under } from '../support/under.ts'

async function refusedBy(answer: { status: number; headers?: Record<string, string> }, settings: object) {
  const receiver = await startReceiver()
  receiver.answerWith(answer)
  const { c1, emulator } = await startFixture({
    webhookUrl: receiver.url,
    settings: { 'webhook.on': ['CREATED'], ...settings },
  })
  return { receiver, c1, emulator }
}

const schedule = { 'webhook.retry.schedule': ['1m', '5m', '2h'] }

test('the retries of a webhook follow the schedule, then it is dead (N44)', async () => {
  const { c1 } = await refusedBy({ status: 500 }, schedule)
  const t0 = await c1.now()
  await c1.createCheckout('r1')
  await c1.advance('1d')
  const minutes = [0, 1, 6, 126]
  expect(await c1.deliveries()).toMatchObject([
    { status: 'dead', attempts: minutes.map((minute) => ({ at: t0 + minute * 60_000 })) },
  ])
})

test.each([
  ['honoured', {}, [0, 20]],
  ['ignored if the setting says so', { 'webhook.retry.after': 'ignore' }, [0, 1, 6]],
])('a Retry-After is %s', async (_, settings, minutes) => {
  const { c1 } = await refusedBy(
    { status: 503, headers: { 'retry-after': '1200' } },
    { ...schedule, ...settings },
  )
  const t0 = await c1.now()
  await c1.createCheckout('r1')
  await c1.advance('30m')
  expect(await c1.deliveries()).toMatchObject([
    { attempts: minutes.map((minute) => ({ at: t0 + minute * 60_000 })) },
  ])
})

test('with `webhook.gone: retry` a 410 is a failed attempt like any other', async () => {
  const { c1, receiver } = await refusedBy({ status: 410 }, { ...schedule, 'webhook.gone': 'retry' })
  await c1.createCheckout('r1')
  await c1.advance('1d')
  expect(receiver.requests).toHaveLength(4)
  expect(await c1.deliveries()).toMatchObject([{ status: 'dead' }])
})

describe('a level of settings with another form of retries ends a schedule of the level above', () => {
  test('one client', async () => {
    const { c1, emulator } = await refusedBy({ status: 500 }, { 'webhook.retry.max': 1 })
    await emulator.control('/settings', 'PATCH', schedule)
    const t0 = await c1.now()
    await c1.createCheckout('r1')
    await c1.advance('1d')
    expect(await c1.deliveries()).toMatchObject([{ attempts: [{ at: t0 }, { at: t0 + 1_000 }] }])
  })

  test('a scenario, and `doubling` is the word for the form without a list', async () => {
    const receiver = await startReceiver()
    receiver.answerWith({ status: 500 })
    const { c1 } = await under('settings: { webhook.retry: { schedule: doubling, max: 2 } }\ntimeline: []', {
      webhookUrl: receiver.url,
      settings: { 'webhook.on': ['CREATED'], ...schedule },
    })
    const t0 = await c1.now()
    await c1.createCheckout('r1')
    await c1.advance('1d')
    expect(await c1.deliveries()).toMatchObject([
      { attempts: [{ at: t0 }, { at: t0 + 1_000 }, { at: t0 + 3_000 }] },
    ])
  })
})
