import { setTimeout as sleep } from 'node:timers/promises'
import { hookUrl, type Stage } from './ordinary-traffic.ts'
import { following, newOrder } from './stories.ts'

/** An endpoint that does not answer in time, that fails for some orders until the service gives up, and that is gone
 *  for a while. */
export async function endpointTrouble(stage: Stage): Promise<void> {
  await hanging(stage)
  await lost(stage)
  await gone(stage)
}

async function hanging(stage: Stage): Promise<void> {
  const { app, advance, receiver, emulator } = stage
  const instant = async () => await following(stage, 'happy-instant')
  const silent = [await instant(), await instant()]
  const slow = [await instant(), await instant()]
  for (const { requestId } of silent)
    receiver.plan(requestId, (attempt) => ({ status: attempt === 1 ? 'none' : 200 }))
  for (const { requestId } of slow) receiver.plan(requestId, () => ({ status: 200, afterMs: 300 }))
  // The clock has to run while an answer is awaited, as it does elsewhere.
  await emulator.clock.set({ mode: 'real', speed: 1 })
  for (const { requestId, ...order } of [...slow, ...silent]) {
    await app.create({ ...order, requestId })
    const { waitsForPayer } = await app.client.orders.get(requestId)
    if (waitsForPayer) await app.client.orders.pay(requestId)
  }
  const isOver = () => silent.every(({ requestId }) => receiver.timedOut.has(requestId))
  for (let time = 0; time < longestWaits && !isOver(); time++) await sleep(20)
  await emulator.clock.set({ mode: 'manual' })
  if (!isOver()) throw new Error('no webhook was given up for its time-out')
  await advance('7h')
}

/** Half a minute, in steps of 20 ms. */
const longestWaits = 1500

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
    const meanwhile = newOrder(stage)
    await app.create(meanwhile)
    await pay([order.requestId, meanwhile.requestId])
    await advance('7h')
    await setUrl(stage)
    await advance('7h')
  }
}

/** Sets the webhook URL at the path that is served. */
async function setUrl({ app }: Stage): Promise<void> {
  const { status } = await app.setUrl(hookUrl)
  if (status === 404) await app.setUrl(hookUrl, '/v1/client/fiat/webhook-url')
}
