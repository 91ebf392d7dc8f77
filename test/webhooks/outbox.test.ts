import { expect, test } from 'vitest'
import { effectiveSettings } from '../../src/domain/choices/settings.ts'
import { EmulatorError } from '../../src/domain/text/errors.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { OutboxContext } from '../../src/webhooks/attempt.ts'
import { Outbox } from '../../src/webhooks/outbox.ts'
import { Targets } from '../../src/webhooks/targets.ts'
import { aClient, aSimulation, shop } from '../store/factories.ts'
import { startReceiver } from '../support/receiver.ts'

const oneCopy = { copies: 1, together: false }

/** With one delivery that is due.
 *  @param isThere whether there is still a client
 *  @param onNow hears when the client's clock is read */
async function anOutbox(isThere: (received: number) => boolean, onNow = (_received: number) => {}) {
  const receiver = await startReceiver()
  const store = await openSqliteStore({ file: ':memory:', durable: false })
  const client = aClient({ clientId: shop, webhookUrl: receiver.url })
  const delivery = aSimulation({ dueAt: 1_000 })
  const told: unknown[] = []
  const there = () => isThere(receiver.requests.length)
  const context: OutboxContext = {
    store,
    targets: new Targets(),
    place: 'machine',
    client: () => (there() ? client : undefined),
    settings: () => effectiveSettings(),
    now: (clientId) => {
      onNow(receiver.requests.length)
      if (there()) return 1_000
      throw new EmulatorError('client_unknown', { clientId })
    },
    mask: (text) => text,
    wake: () => {},
    finishAttempt: async (end) => ((await store.finishAttempt(end)) ? { pausedAfter: null } : null),
    pauseWebhooks: async () => {},
    faults: () => null,
    onFaultsMet: () => undefined,
    emit: ({ type }) => {
      if (type === 'attempt' || type === 'skipped') told.push(type)
    },
    onError: (error) => told.push(error),
  }
  const outbox = new Outbox(context)
  const generation = await store.createClient(client)
  return { outbox, store, client, generation, delivery, receiver, told }
}

test.each(['queue', 'hand'])(
  'an answer to the %s that comes while its client is removed counts for nothing',
  async (way) => {
    const { outbox, store, client, generation, delivery, receiver, told } = await anOutbox(
      (received) => received === 0,
    )
    if (way === 'hand') await outbox.sendManually(client, delivery, oneCopy, generation)
    else {
      await store.addDelivery(delivery, generation)
      await outbox.start(shop, 1_000, generation)
      await outbox.busy(shop)
    }
    expect(receiver.requests).toHaveLength(1)
    expect(told).toEqual([])
    await outbox.stop(0)
    await store.close()
  },
)

test('once it is stopped nothing is claimed, and nothing sent by hand is on record', async () => {
  const { outbox, store, client, generation, delivery, told } = await anOutbox(() => true)
  await store.addDelivery(delivery, generation)
  await outbox.stop(0)
  expect(await outbox.start(shop, 1_000, generation)).toBe(0)
  const another = { ...delivery, id: 'another' }
  await expect(outbox.sendManually(client, another, oneCopy, generation)).rejects.toMatchObject({
    code: 'stopping',
  })
  expect(await store.findDelivery(delivery.id)).toMatchObject({ status: 'pending', attempts: [] })
  expect(await store.findDelivery('another')).toBeNull()
  expect(told).toEqual([])
  await store.close()
})

test('nothing is sent by hand that was made in a world that has ended since', async () => {
  const { outbox, store, client, generation, delivery, receiver, told } = await anOutbox(() => true)
  const sending = outbox.sendManually(client, delivery, oneCopy, generation - 1)
  await expect(sending).rejects.toMatchObject({ code: 'world_ended' })
  expect(receiver.requests).toEqual([])
  expect(outbox.busy(shop)).toBeNull()
  expect(told).toEqual([])
  await outbox.stop(0)
  await store.close()
})

test('an attempt that the store no longer knows is told to nobody when it ends', async () => {
  const { outbox, store, generation, delivery, receiver, told } = await anOutbox(() => true)
  const emptied = Promise.withResolvers<void>()
  receiver.answerWith({ after: emptied.promise })
  await store.addDelivery(delivery, generation)
  await outbox.start(shop, 1_000, generation)
  await receiver.received(1)
  await store.reset({ clients: false })
  emptied.resolve()
  await outbox.stop(5_000)
  expect(told).toEqual([])
  await store.close()
})

test('an answer whose world is emptied while it is judged counts for nothing', async () => {
  const { outbox, store, generation, delivery, receiver, told } = await anOutbox(
    () => true,
    (received) => {
      // That is when an answer is judged.
      if (received > 0) outbox.drop(shop)
    },
  )
  receiver.answerWith({}, 'hang')
  await store.addDelivery(delivery, generation)
  await store.addDelivery({ ...delivery, id: 'another', webhookId: 'another' }, generation)
  await outbox.start(shop, 1_000, generation)
  await receiver.received(2)
  await outbox.stop(5_000)
  expect(told).toEqual([])
  expect(await store.findDelivery(delivery.id)).toMatchObject({ attempts: [{ outcome: 'unknown' }] })
  await store.close()
})
