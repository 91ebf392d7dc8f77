import { expect, test } from 'vitest'
import { effectiveSettings } from '../../src/domain/choices.ts'
import { EmulatorError } from '../../src/domain/errors.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { Outbox } from '../../src/webhooks/outbox.ts'
import { Targets } from '../../src/webhooks/targets.ts'
import { aClient, aSimulation, shop } from '../store/factories.ts'
import { startReceiver } from '../support/receiver.ts'

test.each(['queue', 'hand'])(
  'an answer to the %s that comes while its client is removed counts for nothing',
  async (way) => {
    const receiver = await startReceiver()
    const store = await openSqliteStore({ file: ':memory:', durable: false })
    const client = aClient({ clientId: shop, webhookUrl: receiver.url })
    const delivery = aSimulation({ dueAt: 1_000 })
    const errors: unknown[] = []
    const isThere = () => receiver.requests.length === 0
    const outbox = new Outbox({
      store,
      targets: new Targets(),
      place: 'machine',
      client: () => (isThere() ? client : undefined),
      settings: () => effectiveSettings(),
      now: (clientId) => {
        if (isThere()) return 1_000
        throw new EmulatorError('client_unknown', { clientId })
      },
      wake: () => {},
      gone: async () => {},
      faults: () => null,
      onFaultsMet: () => undefined,
      onAttempt: () => errors.push('told'),
      onSkipped: () => errors.push('skipped'),
      onChanged: () => {},
      onClaimed: () => {},
      onError: (error) => errors.push(error),
    })
    await store.createClient(client)
    if (way === 'hand') await outbox.sendByHand(client, delivery, { copies: 1, together: false })
    else {
      await store.addDelivery(delivery)
      await outbox.start(shop, 1_000)
      await outbox.busy(shop)
    }
    expect(receiver.requests).toHaveLength(1)
    expect(errors).toEqual([])
    await outbox.stop(0)
    await store.close()
  },
)
