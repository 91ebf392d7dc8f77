import type { HandMadeDelivery } from '../../index.ts'
import { type Sent, SignedOrder } from '../acts/signed-order.ts'
import type { Case } from '../case.ts'
import { defectOf, isTaken } from '../evidence/webhook-answer.ts'

type Signatures = Pick<HandMadeDelivery, 'signatures' | 'signatureVersions'>

/** Headers with the signature of the client's secret at different places. */
const genuine: readonly (readonly [what: string, signed: Signatures])[] = [
  ['with a genuine signature first, and one of another secret', { signatures: ['current', 'foreign'] }],
  ['with a genuine signature last, after one of another secret', { signatures: ['foreign', 'current'] }],
  [
    'with a genuine signature between two of unknown versions',
    { signatures: ['foreign', 'current', 'foreign'], signatureVersions: ['v9', 'v1', 'v2'] },
  ],
  ['with a genuine signature alone', { signatures: ['current'] }],
]

const forged: Signatures = { signatures: ['foreign', 'foreign'] }

export const twoSignatures: Case = {
  id: 'K46',
  level: 'SHOULD',
  sideBySide: 'usual',
  title: 'Several signatures while a secret is replaced',
  happens:
    'As while a webhook secret is replaced, webhooks carry several signatures: the genuine one first, last, between unknown versions, and alone. Then one carries no genuine signature.',
  right: 'Accept a webhook if any of its signatures is genuine, and answer 4xx if none is.',
  why: 'A service signs with the old and the new secret for a while. An application that reads one signature loses all webhooks from then on.',
  explainedBy: [{ cases: ['K04'], defect: 'accepted' }],
  async run(stage) {
    const signed = await SignedOrder.open(stage, 'several')
    signed.needsGenuineTaken()
    for (const [what, message] of genuine) {
      if (message.signatureVersions !== undefined && !signed.signing.hasVersion) continue
      const sent = await signed.send(what, message)
      if (!isTaken(sent.attempt)) throw signed.finding(defectOf(sent.attempt), sent)
    }
    refuse(await signed.send('with two signatures of other secrets', forged), signed)
  },
}

function refuse(sent: Sent, signed: SignedOrder): void {
  const { status } = sent.attempt
  if (status !== null && status >= 400 && status < 500) return
  throw signed.finding(isTaken(sent.attempt) ? 'accepted' : defectOf(sent.attempt), sent)
}
