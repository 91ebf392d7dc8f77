import fc from 'fast-check'
import { anyClient, type Command, commandsOf, type Kind } from '../command.ts'
import { same } from '../compare.ts'
import { expectedLedger } from '../expected.ts'
import { ledgerLines } from '../observed.ts'
import { untilUnderWay } from '../under-way.ts'
import type { ClientId } from '../world.ts'
import { anySpan, type Span } from './advance.ts'
import { create } from './create.ts'
import { hold, release } from './hold.ts'
import { pay } from './pay.ts'
import { resend } from './resend.ts'
import { simulate } from './simulate.ts'
import { removeUrl, setUrl } from './webhook-url.ts'

interface During {
  readonly client: ClientId
  readonly span: Span
  readonly meanwhile: Command
}

/** Something is done while an advance waits for the answers to its first webhooks. Then they are given, and it goes
 *  on to its end. */
export const during: Kind<During> = {
  name: 'meanwhile',
  weight: 8,
  parameters: fc.record({
    client: anyClient,
    span: anySpan,
    meanwhile: fc.oneof(
      commandsOf(create),
      commandsOf(pay),
      commandsOf(hold),
      commandsOf(release),
      commandsOf(resend),
      commandsOf(simulate),
      commandsOf(setUrl),
      commandsOf(removeUrl),
    ),
  }),
  words: ({ client, span, meanwhile }) => `advance ${client} by ${span.by}, and: ${meanwhile.words}`,
  act: async (world, { client, span, meanwhile }) => {
    const { real, model } = world.sides[client]
    const { endpoints } = world.bench
    const target = model.now + span.ms
    const sent = model.walkUntilSending(target)
    if (sent.length > 0) endpoints.keepAnswers(client)
    const advanced = real.advance(span.by)
    // Where something differs before it is awaited, it is cut off.
    advanced.catch(() => undefined)
    if (sent.length > 0) {
      await untilUnderWay(world, client, sent)
      await meanwhile.act(world)
      await untilUnderWay(world, client, model.sending())
      endpoints.answer(client)
      model.settle()
      model.walkOn(target)
    }
    same(ledgerLines(await advanced), expectedLedger(model))
  },
}
