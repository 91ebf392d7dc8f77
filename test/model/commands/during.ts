import fc from 'fast-check'
import { anyClient, type Command, commandsOf, type Kind } from '../command.ts'
import { same } from '../difference.ts'
import { expectedLedger } from '../expected.ts'
import type { ModelDelivery } from '../model-delivery.ts'
import { ledgerLines } from '../observed.ts'
import { untilUnderWay } from '../under-way.ts'
import type { ClientId, World } from '../world.ts'
import { anySpan, pastNextMoment, type Span } from './advance.ts'
import { cancel } from './cancel.ts'
import { anyOrder, create, createOrder, orderWords, type Wanted } from './create.ts'
import { hold, release } from './hold.ts'
import { pay } from './pay.ts'
import { refund } from './refund.ts'
import { resend } from './resend.ts'
import { simulate } from './simulate.ts'
import { removeUrl, setUrl } from './webhook-url.ts'

/** Commands that may run while webhooks are in flight, from another test thread or the webhook's own handler. */
const anyMeanwhile: fc.Arbitrary<Command> = fc.oneof(
  commandsOf({ ...create, weight: 4 }),
  commandsOf(pay),
  commandsOf(refund),
  commandsOf(cancel),
  commandsOf(hold),
  commandsOf(release),
  commandsOf(resend),
  commandsOf(simulate),
  commandsOf(setUrl),
  commandsOf(removeUrl),
)

/** Something is done while the webhook of a new order has no answer yet. */
export const duringCreate: Kind<{ wanted: Wanted; meanwhile: Command }> = {
  name: 'do something else after create',
  weight: 4,
  parameters: fc.record({
    // The order of due steps and concurrent commands is unspecified.
    wanted: anyOrder.filter(({ script }) => script !== 'happy-instant'),
    meanwhile: anyMeanwhile,
  }),
  words: ({ wanted, meanwhile }) => `${orderWords(wanted)}: ${meanwhile.words}`,
  act: async (world, { wanted, meanwhile }) => {
    const { client } = wanted
    const { model } = world.sides[client]
    world.bench.endpoints.keepAnswers(client)
    await createOrder(world, wanted)
    await doMeanwhile(world, client, model.sending(), meanwhile)
  },
}

/** Something is done while an advance waits for the answers to its first webhooks. Then they are given, and it goes
 *  on to its end. */
export const duringAdvance: Kind<{ client: ClientId; span: Span; meanwhile: Command }> = {
  name: 'do something else within an advance of',
  weight: 6,
  parameters: fc.record({ client: anyClient, span: anySpan, meanwhile: anyMeanwhile }),
  words: ({ client, span, meanwhile }) =>
    `${client} to the next moment and ${span.by} more: ${meanwhile.words}`,
  act: async (world, { client, span, meanwhile }) => {
    const { real, model } = world.sides[client]
    const { target, by } = pastNextMoment(model, span)
    const sent = model.walkUntilSending(target)
    if (sent.length > 0) world.bench.endpoints.keepAnswers(client)
    const advanced = real.advance(by)
    // Where something differs before it is awaited, it is cut off.
    advanced.catch(() => undefined)
    if (sent.length > 0) await doMeanwhile(world, client, sent, meanwhile)
    const ledger = await advanced
    model.settle()
    model.walkOn(target)
    same(ledgerLines(ledger), expectedLedger(model))
  },
}

/** Runs a command while webhooks are in flight. The model asks the endpoint for the answers, which takes time.
 *  @param sent the webhooks in flight, which are answered after the command */
async function doMeanwhile(
  world: World,
  client: ClientId,
  sent: readonly ModelDelivery[],
  meanwhile: Command,
): Promise<void> {
  const { model } = world.sides[client]
  await untilUnderWay(world, client, sent)
  await meanwhile.act(world)
  await untilUnderWay(world, client, model.sending())
  world.bench.endpoints.answer(client)
}
