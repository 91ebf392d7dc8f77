import { changedEvents, type EventFields } from '../acts/event-json.ts'
import { SignedOrder } from '../acts/signed-order.ts'
import type { Case } from '../case.ts'
import { defectOf, isTaken } from '../evidence/webhook-answer.ts'
import { NotSeen } from '../finding.ts'

/** Correctly signed JSON that is written differently must be accepted: a signature covers bytes, not their meaning. */
export const sameJson: Case = {
  id: 'K05',
  level: 'SHOULD',
  sideBySide: 'usual',
  title: 'The same JSON, written differently',
  happens:
    'Genuine webhooks arrive with their fields in another order, indented over many lines, with letters written as \\u0061, and with non-ASCII text.',
  right: 'Accept each of them: verify the signature over the received bytes, before parsing them.',
  why: 'A check over JSON that was parsed and serialised again rejects genuine webhooks as soon as the sender formats them differently.',
  async run(stage) {
    const signed = await SignedOrder.open(stage)
    signed.needsGenuineTaken()
    const accept = async (what: string, body: string) => {
      const sent = await signed.send(what, { body })
      if (!isTaken(sent.attempt)) throw signed.finding(defectOf(sent.attempt), sent)
    }
    const written = (change: (fields: EventFields) => EventFields) => changedJson(signed.bodyText, change)
    const plain = written((fields) => fields)
    await accept('with its fields in another order', JSON.stringify(written(reversed)))
    await accept('whose JSON is indented', JSON.stringify(plain, null, 2))
    await accept('with letters written as escapes', escaped(JSON.stringify(plain)))
    const withNote = (note: string) => JSON.stringify(written((fields) => ({ ...fields, note })))
    const more = await signed.send('with an additional field', { body: withNote('A mug') })
    if (isTaken(more.attempt)) await accept('with non-ASCII text', withNote('Tasse, größer ☕ 杯'))
    else stage.cannotSee('non-ASCII text: it rejects webhooks with an unknown field, see K23')
  },
}

function changedJson(...change: Parameters<typeof changedEvents>) {
  const changed = changedEvents(...change)
  if (changed === null)
    throw new NotSeen('the body of the webhooks is neither a JSON object nor a list of them')
  return changed
}

const reversed = (fields: EventFields): EventFields => Object.fromEntries(Object.entries(fields).toReversed())

/** Replaces the first letter of each JSON text by its escape sequence. */
const escaped = (json: string): string =>
  json.replaceAll(
    /(?<!\\)"([a-z])/gi,
    (_, letter: string) => `"\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
