import { SignedOrder } from '../acts/signed-order.ts'
import type { Case } from '../case.ts'
import { defectOf, isTaken } from '../evidence/webhook-answer.ts'

/** Clocks differ. */
export const nearlyRightTime: Case = {
  id: 'K07',
  level: 'MUST',
  title: 'Webhooks whose time is a little off',
  happens: 'Genuine webhooks come whose timestamp is 4 minutes old, and 4 minutes ahead.',
  right: 'Accept both: 5 minutes of difference are usual.',
  why: 'No two clocks agree, and a busy sender signs early: real payments would be refused.',
  async run(stage) {
    const signed = await SignedOrder.open(stage, ['standard'])
    signed.needsGenuineTaken()
    for (const [what, timestamp] of nearlyRight) {
      const sent = await signed.send(what, { timestamp })
      if (!isTaken(sent.attempt)) throw signed.finding(defectOf(sent.attempt), sent)
    }
  },
}

const nearlyRight = [
  ['that was signed 4 minutes ago', '-4m'],
  ['that was signed 4 minutes in the future', '4m'],
] as const
