import { type Sent, SignedOrder } from '../acts/signed-order.ts'
import type { Signing } from '../acts/signing.ts'
import type { Case } from '../case.ts'
import { defectOf, isTaken } from '../evidence/webhook-answer.ts'

export const forgedSignature: Case = {
  id: 'K04',
  level: 'MUST',
  sideBySide: 'usual',
  title: 'Webhooks with a wrong signature',
  happens:
    'Forged webhooks arrive: one byte of the body changed after signing, signed with another secret, without a signature, or with garbage as the signature.',
  right: 'Answer each of them with 4xx, and change nothing because of it.',
  why: 'Without a check of the signature, anyone who finds the webhook URL can declare orders paid.',
  explainedBy: [{ cases: ['K20'], defect: 'believed' }],
  async run(stage) {
    const signed = await SignedOrder.open(stage)
    const refuse = (sent: Sent) => {
      const { status } = sent.attempt
      if (status !== null && status >= 400 && status < 500) return
      throw signed.finding(isTaken(sent.attempt) ? 'accepted' : defectOf(sent.attempt), sent)
    }
    refuse(
      await signed.send('whose body was changed by one byte after signing', {
        body: withHarmlessEnd(signed.bodyText),
        tamper: true,
      }),
    )
    // Some applications act on the status in the body, others ignore webhooks without a change. Both kinds are tested.
    for (const claim of ['CREATED', 'COMPLETED'])
      for (const [what, forged] of forgeries(signed.signing))
        refuse(await signed.send(`${what} that says ${claim}`, forged, claim))
    signed.needsGenuineTaken()
    if (signed.order.canBeProbed) await signed.order.staysWithoutEffect('believed')
  },
}

const garbage = 'v1,this-is-no-signature'

const forgeries = ({ header }: Signing) =>
  [
    ['signed with another secret', { sign: 'wrong' }],
    ['without a signature', { sign: false }],
    ['with garbage as the signature', { headers: { [header]: garbage } }],
  ] as const

/** Changes one byte: the last letter or digit, if possible of a field that is not needed. The body stays meaningful,
 *  so that only the signature is a reason to refuse it. */
function withHarmlessEnd(text: string): string {
  const { orderId, ...rest } = JSON.parse(text)
  return orderId === undefined ? text : JSON.stringify({ ...rest, orderId })
}
