import type { Delivery, HandMadeDelivery } from '../../index.ts'
import { orderAfter } from '../acts/other-orders.ts'
import type { Case } from '../case.ts'
import { reactionInWords, reactionTo } from '../evidence/reaction.ts'
import { Finding, WrongBefore } from '../finding.ts'
import type { Stage } from '../stage/stage.ts'
import { foundInNormalLife } from './found-before.ts'

export const noEvents: Case = {
  id: 'K26',
  level: 'SHOULD',
  sideBySide: 'strange',
  title: 'Webhooks that are not events',
  happens:
    'The webhook URL receives half a JSON text, an empty body, a list, a text/plain body and one of 256 KB, each with a valid signature. Then an order is paid.',
  right: 'Answer 4xx (or 2xx) immediately, and keep handling valid webhooks.',
  why: 'Scanners and broken proxies send such requests every day. A handler that throws on them fills the log, or ends the process.',
  explainedBy: foundInNormalLife,
  async run(stage) {
    const event = await plainEvent(stage)
    const plain = await stage.send({ event })
    if (plain.attempts.at(-1)?.status === null)
      throw new WrongBefore(`it ${reactionInWords(plain)} to a plain webhook`, 'K03')
    const usual = reactionTo(plain)
    const sent: Sent[] = []
    for (const [what, webhook] of messagesLike(plain.bodyText)) {
      const delivery = await stage.send(webhook)
      const alive = delivery.attempts.at(-1)?.status !== null || (await answers(stage, event))
      stage.note(`it ${reactionInWords(delivery)} to ${what}`)
      sent.push({ what, delivery, alive })
      if (!alive) break
    }
    refuse(sent.filter((each) => isWrong(each) && reactionTo(each.delivery) !== usual))
    if (usual === 'server-error')
      stage.cannotSee(
        `how it handles such webhooks: it ${reactionInWords(plain)} to a plain one too${stage.app.start === null ? ', about an order that it does not know: set `start`' : ''}`,
      )
    if (stage.app.start === null || stage.app.probe === null) return
    const next = await orderAfter(stage, 'these webhooks')
    await stage.advanceAtLeast('10s')
    stage.letClockGo()
    await next.becomesPaid()
  },
}

interface Sent {
  readonly what: string
  readonly delivery: Delivery
  /** Whether the application answered this webhook, or at least a normal one after it. */
  readonly alive: boolean
}

const bigBytes = 256 * 1024

const bigBody = `a body of ${bigBytes / 1024} KB`

function messagesLike(event: string): [what: string, webhook: HandMadeDelivery][] {
  const padded = event.replace(/\}(\s*\]?\s*)$/, ',"padding":""}$1')
  const padding = 'x'.repeat(Math.max(0, bigBytes - padded.length))
  return [
    ['half a JSON text', { body: event.slice(0, event.length / 2) }],
    ['an empty body', { body: '' }],
    ['a list instead of an object', { body: `[${event}]` }],
    ['a body of type text/plain', { body: event, headers: { 'content-type': 'text/plain' } }],
    [bigBody, { body: padded.replace(/""(\}\s*\]?\s*)$/, (_, end: string) => `"${padding}"${end}`) }],
  ]
}

/** An event for an open order of the application; for an unknown order if the application cannot be made to create
 *  one. */
async function plainEvent(stage: Stage): Promise<NonNullable<HandMadeDelivery['event']>> {
  if (stage.app.start !== null) return { requestId: (await stage.order({ follows: 'never-pays' })).requestId }
  const name = `conform-${stage.unique()}`
  return { requestId: name, orderId: name, orderStatus: 'CREATED', orderType: 'CHECKOUT' }
}

async function answers(stage: Stage, event: HandMadeDelivery['event']): Promise<boolean> {
  const { attempts } = await stage.send({ event })
  return attempts.at(-1)?.status !== null
}

/** Whether the answer is wrong. A server may cut the connection for a body that is too large, if it continues to
 *  run. */
function isWrong({ what, delivery, alive }: Sent): boolean {
  const reaction = reactionTo(delivery)
  if (reaction === 'crashed') return what !== bigBody || !alive
  return reaction === 'no-answer' || reaction === 'server-error'
}

function refuse(wrong: readonly Sent[]): void {
  const [first] = wrong.toSorted((a, b) => severity(b) - severity(a))
  if (first === undefined) return
  const reactions = wrong.map(({ what, delivery }) => `it ${reactionInWords(delivery)} to ${what}`).join('; ')
  const after = first.alive ? '' : `; afterwards it answered no more webhooks`
  throw new Finding({
    defect: first.alive ? wordFor(first) : 'crashed',
    did: `${reactions.charAt(0).toUpperCase()}${reactions.slice(1)}${after}.`,
    deliveryId: first.delivery.id,
  })
}

const wordFor = ({ delivery }: Sent) => {
  const reaction = reactionTo(delivery)
  return reaction === 'server-error' ? 'server-error' : 'no-answer'
}

const severity = (each: Sent): number => (each.alive ? (wordFor(each) === 'server-error' ? 0 : 1) : 2)
