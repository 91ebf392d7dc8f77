import { ProbeFailed } from '../application/application.ts'
import type { Case } from '../case.ts'
import { Finding, NotSeen } from '../finding.ts'
import { refunded, type Script } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'

const refundFails: Script = {
  timeline: [...refunded.timeline, { at: '90s', refundError: '9006.1' }],
}

/** A refund fails. No webhook reports that, only the refund lookup. */
export const refundFailsLater: Case = {
  id: 'K35',
  level: 'SHOULD',
  title: 'A refund fails',
  happens:
    'A paid order is refunded, and half a minute later the refund fails: the lookup shows 9006.1 next to the list of refunds.',
  right:
    'Repeat the lookup of a refund until it is decided, read `errorReason` at the top level, and keep handling other orders.',
  why: 'Otherwise the customer waits for money that is not coming, or the job that looks refunds up crashes.',
  async run(stage) {
    stage.needs('start')
    const order = await stage.order({ follows: refundFails })
    await stage.advance('10s')
    await order.isPaidBefore()
    const before = await stage.tryReconcile()
    const wellBefore = before?.error === null
    if (before !== null && !wellBefore)
      stage.cannotSee('how its `reconcile` call handles a failed refund: it failed before')
    await stage.advance('60s')
    const asked = await asksForRefunds(order, stage)
    if (wellBefore) await jobGoesOn(order, stage)
    if (!asked) throw new NotSeen(doesNotRefund)
    await stage.advance('30s')
    if (!(await asksForRefunds(order, stage)))
      throw new Finding({
        defect: 'unnoticed',
        did: 'It looked the refund up while it was REFUND_INITIATED, and not again after it had failed.',
        requestId: order.requestId,
      })
    if (wellBefore) await jobGoesOn(order, stage)
    await stillAnswers(order)
    await goesOn(stage)
  },
}

const doesNotRefund =
  'your application never looked refunds up. That is fine if it offers no refunds; otherwise it cannot learn that one has failed'

/** Whether the application looks up the refunds of an order from now on, in its job or otherwise. */
async function asksForRefunds(order: StagedOrder, stage: Stage): Promise<boolean> {
  const lookups = async () =>
    (await order.calls()).filter(({ operation }) => operation === 'fiat-refunds').length
  const before = await lookups()
  const reconciled = await stage.reconcile()
  return stage.until(
    async () => (await lookups()) > before,
    reconciled ? stage.app.settleMs : stage.longestMs,
  )
}

/** Checks that the application's job still succeeds with a refund.
 *  @throws Finding */
async function jobGoesOn(order: StagedOrder, stage: Stage): Promise<void> {
  const error = (await stage.tryReconcile())?.error ?? null
  if (error === null) return
  throw new Finding({
    defect: 'server-error',
    did: `Its \`reconcile\` call fails since there was a refund: ${error}.`,
    requestId: order.requestId,
  })
}

/** Checks that the probe still works after the failed refund.
 *  @throws Finding */
async function stillAnswers(order: StagedOrder): Promise<void> {
  try {
    await order.probe()
  } catch (error) {
    if (!(error instanceof ProbeFailed)) throw error
    throw new Finding({
      defect: error.status === null ? 'crashed' : 'server-error',
      did: `Since the refund failed, the probe fails: ${error.message}.`,
      requestId: order.requestId,
    })
  }
}

/** Checks that the application still fulfils a further order, and looks up its refunds.
 *  @throws Finding */
async function goesOn(stage: Stage): Promise<void> {
  const next = await stage.order({ follows: refunded })
  await stage.advanceAtLeast('10s')
  await next.becomesPaid()
  await stage.advanceAtLeast('60s')
  if (await asksForRefunds(next, stage)) return
  throw new Finding({
    defect: 'second-order',
    did: 'After the refund of one order had failed, it stopped looking up the refunds of all others.',
    requestId: next.requestId,
  })
}
