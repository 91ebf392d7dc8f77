import { SignedOrder } from '../acts/signed-order.ts'
import type { Case } from '../case.ts'
import { defectOf, isTaken } from '../evidence/webhook-answer.ts'

export const nearlyRightTime: Case = {
  id: 'K07',
  level: 'MUST',
  sideBySide: 'usual',
  title: 'Webhooks whose timestamp is slightly off',
  happens: 'Genuine webhooks arrive whose timestamp is 4 minutes old, and 4 minutes in the future.',
  right: 'Accept both: a tolerance of 5 minutes is usual.',
  why: 'Clocks differ, and a busy sender may sign some time before it sends. A stricter check rejects real payments.',
  async run(stage) {
    const signed = await SignedOrder.open(stage, 'time')
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
