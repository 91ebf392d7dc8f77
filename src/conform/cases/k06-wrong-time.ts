import { SignedOrder } from '../acts/signed-order.ts'
import type { Case } from '../case.ts'
import { isTaken } from '../evidence/webhook-answer.ts'

export const wrongTime: Case = {
  id: 'K06',
  level: 'MUST',
  sideBySide: 'usual',
  title: 'Webhooks that are too old, or from the future',
  happens:
    'Webhooks with a valid signature arrive whose timestamp is 10 minutes old, and 10 minutes in the future.',
  right: 'Reject both: the timestamp is signed too, and may differ from your clock by at most 5 minutes.',
  why: 'Otherwise an attacker can replay a recorded genuine webhook at any time.',
  explainedBy: [{ cases: ['K04'], defect: 'accepted' }],
  async run(stage) {
    const signed = await SignedOrder.open(stage, 'time')
    for (const [what, timestamp] of wrong) {
      const sent = await signed.send(what, { timestamp })
      if (isTaken(sent.attempt)) throw signed.finding('accepted', sent)
    }
    signed.needsGenuineTaken()
  },
}

const wrong = [
  ['that was signed 10 minutes ago', '-10m'],
  ['that was signed 10 minutes in the future', '10m'],
] as const
