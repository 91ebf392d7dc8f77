import fc from 'fast-check'
import { anyClient, type Kind } from '../command.ts'
import { same } from '../difference.ts'
import { expectedLedger } from '../expected.ts'
import type { ModelClient } from '../model-client.ts'
import { ledgerLines } from '../observed.ts'
import { type ClientId, clientIds, type Side } from '../world.ts'

/** A duration that a command can wait, as the emulator reads it. */
export interface Span {
  readonly by: string
  readonly ms: number
}

const unitsMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

const spans = (unit: keyof typeof unitsMs, atMost: number): fc.Arbitrary<Span> =>
  fc.integer({ min: 1, max: atMost }).map((n) => ({ by: `${n}${unit}`, ms: n * unitsMs[unit] }))

/** From a millisecond to a hundred days, in which a weekly subscription has fifteen charges; often what an order's life and the first retries take. */
export const anySpan = fc.oneof(
  { arbitrary: spans('ms', 3_000), weight: 3 },
  { arbitrary: spans('s', 12), weight: 6 },
  { arbitrary: spans('m', 20), weight: 4 },
  { arbitrary: spans('h', 30), weight: 1 },
  { arbitrary: spans('d', 40), weight: 3 },
  { arbitrary: spans('d', 100), weight: 3 },
)

export const advance: Kind<Span & { readonly client: ClientId }> = {
  name: 'advance',
  weight: 16,
  parameters: fc.tuple(anyClient, anySpan).map(([client, span]) => ({ client, ...span })),
  words: ({ client, by }) => `${client} by ${by}`,
  act: ({ sides }, { client, ...span }) => move(sides[client], span),
}

/** Each client moves by a span of its own, at the same time. */
export const advanceApart: Kind<readonly [Span, Span]> = {
  name: 'advance at the same time',
  weight: 3,
  parameters: fc.tuple(anySpan, anySpan),
  words: ([c1, c2]) => `C1 by ${c1.by}, C2 by ${c2.by}`,
  act: async ({ sides }, [c1, c2]) => {
    await Promise.all([move(sides.C1, c1), move(sides.C2, c2)])
  },
}

/** Moves both clients at once; one ledger reports both. */
export const advanceAll: Kind<Span> = {
  name: 'advance all',
  weight: 4,
  parameters: anySpan,
  words: ({ by }) => `by ${by}`,
  act: async ({ bench, sides }, { by, ms }) => {
    // The demo client's clock moves along; nothing else of it does.
    const { text } = await bench.control('/clock/advance', 'POST', { by })
    for (const id of clientIds) sides[id].model.walk(sides[id].model.now + ms)
    // Which client comes first where both have the same requestId at the same moment is left open.
    const expected = clientIds.flatMap((id) => expectedLedger(sides[id].model))
    same(ledgerLines(JSON.parse(text)).toSorted(), expected.toSorted())
  },
}

/** A span that begins when the next thing happens. */
export function pastNextMoment(model: ModelClient, { ms }: Span): { target: number; by: string } {
  const target = (model.nextDueAt() ?? model.now) + ms
  return { target, by: `${target - model.now}ms` }
}

async function move({ real, model }: Side, { by, ms }: Span): Promise<void> {
  const from = model.now
  const ledger = await real.advance(by)
  model.walk(from + ms)
  same(
    [`${ledger.from} ${ledger.now}`, ...ledgerLines(ledger)],
    [`${from} ${model.now}`, ...expectedLedger(model)],
  )
}
