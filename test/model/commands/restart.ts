import fc from 'fast-check'
import { anyClient, type Kind } from '../command.ts'
import type { ModelDelivery } from '../model-order.ts'
import type { ClientId, World } from '../world.ts'
import { anySpan, type Span } from './advance.ts'
import { anyOrder, createOrder, orderWords, type Wanted } from './create.ts'

/** How many webhooks to one origin are under way at most. */
const sentAtOnce = 16

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

/** The order is stored and told to the caller, but its webhook still waits for the answer to leave. */
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

/** Webhooks have arrived and are not answered when the crash comes. */
export const crashAfterCreate: Kind<Wanted> = {
  name: 'crash with webhooks under way, after create',
  weight: 1,
  parameters: anyOrder,
  words: orderWords,
  act: async (world, wanted) => {
    const { model } = world.sides[wanted.client]
    world.bench.endpoints.answering.set(wanted.client, 'hang')
    await createOrder(world, wanted)
    await crashUnderWay(world, wanted.client, model.sending())
  },
}

/** The same, within an advance: that goes no further than to the first moment at which something is sent. */
export const crashInAdvance: Kind<Span & { client: ClientId }> = {
  name: 'crash with webhooks under way, within an advance of',
  weight: 2,
  parameters: fc.tuple(anyClient, anySpan).map(([client, span]) => ({ client, ...span })),
  words: ({ client, by }) => `${client} by ${by}`,
  act: async (world, { client, by, ms }) => {
    const { real, model } = world.sides[client]
    const sent = model.walkUntilSending(model.now + ms)
    if (sent.length > 0) world.bench.endpoints.answering.set(client, 'hang')
    const advanced = real.advance(by)
    // What is cut off has no ledger.
    if (sent.length === 0) await advanced
    else advanced.catch(() => undefined)
    await crashUnderWay(world, client, sent)
  },
}

async function crashUnderWay(world: World, client: ClientId, sent: readonly ModelDelivery[]): Promise<void> {
  const { bench, sides } = world
  const { model } = sides[client]
  const arrived = () =>
    sent.filter(({ event, attempts }) => bench.endpoints.of(event).length > attempts.length)
  const enough = Math.min(sentAtOnce, sent.length)
  await bench.endpoints.until(
    () => arrived().length >= enough,
    `${enough} of ${sent.map((each) => each.event)}`,
  )
  model.outbox.loseAnswers(arrived(), model.now)
  bench.endpoints.answering.set(client, model.outbox.answering)
  await bench.crash()
}
