import { changedEvents } from '../acts/event-json.ts'
import type { Case } from '../case.ts'
import { UsualReaction } from '../evidence/reaction.ts'
import { payLater } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import { foundByBelief } from './found-before.ts'

const newWords = 'service-something-new'

export const newWordsInWebhooks: Case = {
  id: 'K23',
  level: 'MUST',
  sideBySide: 'strange',
  title: 'Webhooks with unknown fields and types',
  happens:
    'Webhooks about an open order have undocumented fields, an errorCode that is null, and an unknown eventType that says COMPLETED while the lookup says CREATED. Later the order is paid.',
  right:
    'Ignore what you do not know: answer 2xx, do not fulfil because of it, and handle the order as usual.',
  why: 'The service may add a field at any time. An application that rejects it receives no payment events from then on.',
  explainedBy: foundByBelief,
  async run(stage) {
    const order = await stage.order({ follows: payLater })
    await stage.settle()
    await order.isUnpaidBefore()
    const usual = await UsualReaction.of(stage, order)
    for (const [what, body] of variantsOf(usual.plain.bodyText))
      judgeAlike(stage, usual, await stage.send({ body }), what)
    const event = { requestId: order.requestId, eventType: newWords }
    judgeAlike(stage, usual, await stage.send({ event }), `an event of the new type ${newWords}`)
    const claim = { ...event, orderStatus: 'COMPLETED' }
    // An application that looks the order up and finds another status may ask for a retry with 503.
    usual.mustAnswer(await stage.send({ event: claim }), `an event of the new type ${newWords}`)
    await order.staysWithoutEffect('believed')
    await order.pay()
    await stage.advanceAtLeast('10s')
    stage.letClockGo()
    await order.becomesPaid()
  },
}

function judgeAlike(
  stage: Stage,
  usual: UsualReaction,
  ...sent: Parameters<UsualReaction['mustTake']>
): void {
  if (!usual.mustTake(...sent))
    stage.cannotSee('whether it accepts such webhooks: it does not accept plain ones about this order either')
}

/** Variants of an event: with additional fields, and with a null errorCode; none if the event is inside a token. */
function variantsOf(plain: string): [what: string, body: string][] {
  const more = { riskScore: 0.25, channels: ['card', 'wallet'], partner: { id: 'p-1', region: null } }
  const extended = changedEvents(plain, (fields) => ({ ...fields, ...more }))
  const event = changedEvents(plain, (fields) => ({ ...fields, errorCode: null }))
  if (extended === null || event === null || isToken(plain)) return []
  return [
    ['an event with unknown fields', JSON.stringify(extended)],
    ['an event whose errorCode is null', JSON.stringify(event)],
  ]
}

const isToken = (body: string): boolean => Object.keys(JSON.parse(body)).join() === 'payload'
