import type { Delivery } from '../index.ts'
import { Finding, NotSeen, WrongConfiguration } from './finding.ts'
import { failing } from './scripts.ts'
import type { Setting } from './stage.ts'
import { Stage } from './stage.ts'
import type { StagedOrder } from './staged-order.ts'

/** Plays one order that is paid and one that fails, and looks only whether everything can be reached and read. What
 *  the application makes of them is for the cases to judge.
 *  @throws WrongConfiguration */
export async function checkSetup(setting: Setting): Promise<void> {
  const stage = await Stage.open('K00', setting)
  try {
    const paid = await firstOrder(stage)
    await stage.advance('10s')
    for (const delivery of await paid.deliveries()) refuseUnreachable(delivery, paid)
    await lookAt(paid, stage)
    const failed = await stage.order({ follows: failing('9004') })
    await stage.advance('10s')
    await lookAt(failed, stage)
  } catch (error) {
    if (!(error instanceof Finding) && !(error instanceof NotSeen)) throw error
  } finally {
    await stage.close()
  }
}

async function firstOrder(stage: Stage): Promise<StagedOrder> {
  const { order } = await stage.begin()
  const begun = await order()
  if (begun.orderId === null) throw await notCreated(begun, stage)
  return begun
}

/** Why no order was made, as far as the journal knows it. */
async function notCreated(begun: StagedOrder, stage: Stage): Promise<WrongConfiguration> {
  const creates = (await stage.calls()).filter(({ operation }) => operation?.startsWith('create-'))
  const refused = creates.findLast(({ status }) => status !== 200)
  if (refused !== undefined) {
    const why = refused.diagnosis?.message ?? refused.response
    return new WrongConfiguration('start', `the service refused your application's create call: ${why}`)
  }
  if (creates.length === 0)
    return new WrongConfiguration(
      'start',
      `your application made no create call as the client ${stage.client.clientId} at ${stage.client.url} (${begun.told}); is its base URL the emulator's, and are its credentials this client's?`,
    )
  return new WrongConfiguration(
    'start.requestId',
    `what stands there, ${begun.known ? JSON.stringify(begun.requestId) : 'nothing'}, is not the requestId of the create call: ${begun.told}`,
  )
}

/** After the retries: CREATED may come while an application is about to store its order. One that it has not created
 *  it may well not know. */
function refuseUnreachable({ attempts }: Delivery, { ofApplication }: StagedOrder): void {
  const last = attempts.at(-1)
  if (last?.outcome === 'connection')
    throw new WrongConfiguration('webhookUrl', `nothing answers at ${last.url}: ${last.error}`)
  if (ofApplication && (last?.status === 404 || last?.status === 405))
    throw new WrongConfiguration(
      'webhookUrl',
      `a webhook about an order of your application was answered ${last.status} at ${last.url}; is that the right path?`,
    )
}

async function lookAt(order: StagedOrder, stage: Stage): Promise<void> {
  const seen = await order.probe()
  if (seen?.state === 'unknown')
    throw new WrongConfiguration('probe.url', `your application knows no order ${order.requestId}: 404`)
  if (seen?.state === 'other') stage.note(`its word ${seen.word} is not in probe.statuses`)
}
