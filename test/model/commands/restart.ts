import fc from 'fast-check'
import { anyClient, type Command, commandsOf, type Kind } from '../command.ts'
import { untilUnderWay } from '../under-way.ts'
import { type ClientId, clientIds, type World } from '../world.ts'
import { anySpan, pastNextMoment, type Span } from './advance.ts'
import { cancel } from './cancel.ts'
import { anyOrder, create, createOrder, orderWords, type Wanted } from './create.ts'
import { release } from './hold.ts'
import { make } from './make.ts'
import { refund } from './refund.ts'
import { resend } from './resend.ts'
import { simulate } from './simulate.ts'
import { setUrl } from './webhook-url.ts'

const nothing = { parameters: fc.constant(null), words: () => '' }

export const restart: Kind<null> = {
  name: 'stop and start again',
  weight: 2,
  ...nothing,
  act: ({ bench }) => bench.restart(),
}

export const crash: Kind<null> = {
  name: 'crash and start again',
  weight: 1,
  ...nothing,
  act: ({ bench }) => bench.crash(),
}

/** The order is stored and answered, but its webhook still waits for the release. */
export const crashBeforeRelease: Kind<Wanted> = {
  name: 'crash before the answer has left, after create',
  weight: 1,
  parameters: anyOrder,
  words: orderWords,
  act: async (world, wanted) => {
    world.bench.answersLeave = false
    await createOrder(world, wanted)
    world.bench.answersLeave = true
    await world.bench.crash()
  },
}

/** How the emulator ends while webhooks have arrived and are not answered. */
type How = 'stop' | 'crash'

const anyHow: fc.Arbitrary<How> = fc.constantFrom('crash', 'crash', 'stop')

/** With two clients the use of connections would be unspecified. */
const releaseOfOne = {
  ...release,
  parameters: release.parameters.map(({ clients, hold }) => ({ clients: clients.slice(0, 1), hold })),
}

/** Webhooks that something has sent on their way are not answered when the emulator ends. */
export const endAfter: Kind<{ how: How; cause: Command }> = {
  name: 'end with webhooks under way, after',
  weight: 3,
  parameters: fc.record({
    how: anyHow,
    cause: fc.oneof(
      commandsOf({ ...create, weight: 3 }),
      commandsOf(make),
      commandsOf(refund),
      commandsOf(cancel),
      commandsOf(releaseOfOne),
      commandsOf(resend),
      commandsOf(simulate),
      commandsOf(setUrl),
    ),
  }),
  words: ({ how, cause }) => `${cause.words}: ${how}`,
  act: async (world, { how, cause }) => {
    for (const client of clientIds) world.bench.endpoints.keepAnswers(client)
    await cause.act(world)
    await endUnderWay(world, how)
  },
}

/** The same within an advance, which ends when the first webhook is sent. */
export const endInAdvance: Kind<{ how: How; client: ClientId; span: Span }> = {
  name: 'end with webhooks under way, within an advance of',
  weight: 2,
  parameters: fc.record({ how: anyHow, client: anyClient, span: anySpan }),
  words: ({ how, client, span }) => `${client} to the next moment and ${span.by} more: ${how}`,
  act: async (world, { how, client, span }) => {
    const { real, model } = world.sides[client]
    const { target, by } = pastNextMoment(model, span)
    const sent = model.walkUntilSending(target)
    if (sent.length > 0) world.bench.endpoints.keepAnswers(client)
    const advanced = real.advance(by)
    // An advance that is cut off has no ledger.
    if (sent.length === 0) await advanced
    else advanced.catch(() => undefined)
    await endUnderWay(world, how)
  },
}

async function endUnderWay(world: World, how: How): Promise<void> {
  const { bench, sides } = world
  for (const client of clientIds) {
    const { model } = sides[client]
    await untilUnderWay(world, client, model.sending())
    model.outbox.crash(model.now)
  }
  const ended = how === 'crash' ? bench.crash() : bench.restart()
  for (const client of clientIds) bench.endpoints.drop(client)
  await ended
}
