import type { Script } from '../stage/scripts.ts'
import type { ActName } from './acts.ts'
import { type Story, timesOf } from './story.ts'

/** What each act of the payer is in a scenario. `force`: a step may leave COMPLETED or FAILED. */
const payerSteps: Partial<Readonly<Record<ActName, readonly Readonly<Record<string, unknown>>[]>>> = {
  pay: [
    { pay: 'completed', force: true },
    { order: 'COMPLETED', force: true },
  ],
  decline: [{ order: 'FAILED', error: '9004' }],
  fail: [{ order: 'FAILED', error: '9006.1' }],
  'refund a part': [{ refund: '30%' }],
  'refund all': [{ refund: 'all' }],
  'refund fails': [{ refund: '30%' }, { refundError: '9006.1' }],
}

/** How the create call fails, if it does. */
const answers: Partial<Readonly<Record<ActName, Script['answers']>>> = {
  'create, answer lost': [{ on: 'create-order', when: 'stored', effect: { cut: true }, times: 1 }],
  'create, call lost': [{ on: 'create-order', when: 'before', effect: { status: 500 }, times: 1 }],
}

/** An order for which nothing happens at the service. */
const idle = [{ at: 'payer', pay: 'completed' }]

/** The scenario that an order of these stories follows at the service.
 *  @param skeleton what they share */
export function scriptOf(skeleton: Story): Script {
  const times = timesOf(skeleton)
  const timeline = skeleton.flatMap((step, index) =>
    step.flatMap((act) => (payerSteps[act] ?? []).map((does) => ({ at: `${times[index]}ms`, ...does }))),
  )
  const fate = answers[skeleton[0]?.[0] ?? 'create']
  return {
    settings: { 'orders.expiry': '30d' },
    timeline: timeline.length === 0 ? idle : timeline,
    ...(fate !== undefined && { answers: fate }),
  }
}
