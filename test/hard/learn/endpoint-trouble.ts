import { setTimeout as sleep } from 'node:timers/promises'
import { hookUrl, type Stage } from './ordinary-traffic.ts'
import { following, newOrder } from './stories.ts'

/** An endpoint that does not answer in time, that fails for some orders until the service gives up, and that is gone
 *  for a while. */
export async function endpointTrouble(stage: Stage): Promise<void> {
  await hanging(stage)
  await lost(stage)
  // With `webhook.order: strict` everything waits until then.
  await stage.advance('5d')
  await gone(stage)
}

/** The first webhooks of two orders are not answered at all, those of another one slowly. */
async function hanging(stage: Stage): Promise<void> {
  for (let time = 0; time < 2; time++) {
    const slow = await following(stage, 'happy-instant')
    const silent = await following(stage, 'happy-instant')
    const { app, advance, receiver, emulator } = stage
    const isOver = () => receiver.timedOut.has(silent.requestId)
    receiver.plan(silent.requestId, () => ({ status: isOver() ? 200 : 'none' }))
    receiver.plan(slow.requestId, (attempt) => ({ status: 200, afterMs: attempt === 1 ? 200 : 0 }))
    // The clock has to run while an answer is awaited, as it does elsewhere.
    await emulator.clock.set({ mode: 'real', speed: 1 })
    app.isPaced = false
    for (const order of [slow, silent]) {
      await app.create(order)
      const { waitsForPayer } = await app.client.orders.get(order.requestId)
      if (waitsForPayer) await app.client.orders.pay(order.requestId)
    }
    for (let step = 0; step < longestWait && !isOver(); step++) await sleep(20)
    await emulator.clock.set({ mode: 'manual' })
    app.isPaced = true
    if (!isOver()) throw new Error('no webhook was given up for its time-out')
    await advance('7h')
  }
}

/** Half a minute, in steps of 20 ms. */
const longestWait = 1500

async function lost(stage: Stage): Promise<void> {
  const { app, advance, receiver, pay } = stage
  for (const order of [newOrder(stage), newOrder(stage)]) {
    receiver.plan(order.requestId, () => ({ status: 500 }))
    await app.create(order)
    await pay([order.requestId])
    await advance('20s')
    const meanwhile = newOrder(stage)
    await app.create(meanwhile)
    await pay([meanwhile.requestId])
    await advance('17h')
  }
}

async function gone(stage: Stage): Promise<void> {
  const { app, advance, receiver, pay } = stage
  for (let time = 0; time < 2; time++) {
    const order = newOrder(stage)
    receiver.plan(order.requestId, (attempt) => ({ status: attempt === 1 ? 410 : 200 }))
    await app.create(order)
    await advance('10s')
    const meanwhile = [newOrder(stage), newOrder(stage)]
    for (const each of meanwhile) await app.create(each)
    await pay([order, ...meanwhile].map(({ requestId }) => requestId))
    await advance('26h')
    await setUrl(stage)
    await advance('7h')
  }
}

/** Sets the webhook URL at the path that is served. */
async function setUrl({ app }: Stage): Promise<void> {
  const { status } = await app.setUrl(hookUrl)
  if (status === 404) await app.setUrl(hookUrl, '/v1/client/fiat/webhook-url')
}
