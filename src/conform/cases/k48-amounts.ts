import { succeeded } from '../application/application.ts'
import { at, jsonIn } from '../application/json-pointer.ts'
import type { Case } from '../case.ts'
import { isCreate } from '../evidence/service-calls.ts'
import { Finding, NotSeen } from '../finding.ts'
import type { Stage } from '../stage/stage.ts'

/** Amounts that binary fractions, cents and number formats get wrong. */
const amounts = ['19.99', '0.29', '1.10', '4.35', '1000000.00', '10']

export const amountsAsAsked: Case = {
  id: 'K48',
  level: 'MUST',
  sideBySide: true,
  title: 'Amounts as asked for',
  happens: `Your application is asked for orders of ${amounts.join(', ')}.`,
  right: 'Send exactly that decimal value as `fiatAmount`, and sign what you send.',
  why: 'Amounts in binary fractions lose a cent now and then, and 1,000,000.00 or 1e6 is no amount. The customer pays something else than the cart said.',
  async run(stage) {
    stage.needs('start')
    if (!stage.app.takes('amount'))
      throw new NotSeen(
        'which amounts your application sends: put {amount} into the call of `start`, like `body: { amount: "{amount}" }`',
      )
    const refused: string[] = []
    for (const amount of amounts) if (!(await sendsAs(amount, stage))) refused.push(amount)
    if (refused.length === amounts.length)
      throw new NotSeen(`the start call created no order for any of these amounts: ${amounts.join(', ')}`)
    if (refused.length > 0) stage.remark(`It accepts no orders of ${refused.join(', ')}.`)
  },
}

/** Makes the application create an order of an amount.
 *  @returns false if it created none, and did not report success either
 *  @throws Finding if another amount arrives, or the create call is refused */
async function sendsAs(amount: string, stage: Stage): Promise<boolean> {
  const { answer, order } = await stage.starting(async () => {
    const begun = await stage.begin({ given: { amount } })
    const answered = await begun.answer
    return { answer: answered, order: await begun.order(stage.app.patienceMs) }
  })
  if (!order.known) {
    if (succeeded(answer)) throw new NotSeen(`the start call for ${amount} created no order`)
    return false
  }
  const create = (await order.calls()).filter(isCreate).at(-1)
  const sent = at(jsonIn(create?.body ?? ''), '/fiatAmount')
  const words = JSON.stringify(sent) ?? 'nothing'
  const finding = (defect: 'altered' | 'refused', did: string) =>
    new Finding({ defect, did, requestId: order.requestId, deliveryId: null })
  if (decimalOf(sent) !== decimalOf(amount))
    throw finding('altered', `It was asked for an order of ${amount}, and sent the fiatAmount ${words}.`)
  if (create !== undefined && order.orderId === null && create.status !== 200)
    throw finding(
      'refused',
      `Its create call for ${amount} was answered ${create.status}: ${create.diagnosis?.message ?? create.response.slice(0, 200)}`,
    )
  return true
}

/** The decimal value of an amount in one form; `undefined` if it is not written in plain digits. */
function decimalOf(amount: unknown): string | undefined {
  const [, whole, cents = ''] = /^0*(\d+)(?:\.(\d+))?$/.exec(String(amount)) ?? []
  return whole === undefined ? undefined : `${whole}.${cents.replace(/0+$/, '')}`
}
