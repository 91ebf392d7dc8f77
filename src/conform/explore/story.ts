import { type ActName, scopeOf, takesMs } from './acts.ts'

/** One step of a story: an act, or several at the same moment. */
export type Step = readonly ActName[]

/** What happens to one order, from its creation. The first step creates it. */
export type Story = readonly Step[]

/** The number of acts, without the creation. */
export const actsIn = (story: Story): number => story.flat().length - 1

/** A story on one line: `create, hold webhooks, pay + reconcile`. */
export const storyText = (story: Story): string => story.map(stepText).join('; ')

/** A step in words: `pay`, or `pay + reconcile`. */
export const stepText = (step: Step): string => step.join(' + ')

/** The part of a story that all stories of a batch share: how the order is created, what becomes of it at the service,
 *  and what concerns all orders of the client. Empty steps keep the times of the others. */
export const skeletonOf = (story: Story): Story =>
  withoutEmptyEnd(story.map((step) => step.filter((act) => scopeOf(act) !== 'order')))

function withoutEmptyEnd(story: Story): Story {
  const last = story.findLastIndex((step) => step.length > 0)
  return story.slice(0, last + 1)
}

/** When each step happens, milliseconds after the creation, on the client's clock. */
export function timesOf(story: Story): number[] {
  let atMs = 0
  return story.map((step, index) => {
    if (index > 0) atMs += Math.max(1_000, ...step.map(takesMs))
    return atMs
  })
}

/** Whether all of `part` occurs in a story, in its order: each step of it within a later step of the story. */
export function contains(story: Story, part: Story): boolean {
  let next = 0
  for (const step of story) {
    const wanted = part[next]
    if (wanted === undefined) return true
    if (wanted.every((act) => step.includes(act))) next += 1
  }
  return next === part.length
}

/** What has become of an order at the service, as far as a story says. */
interface Fate {
  readonly status: 'CREATED' | 'COMPLETED' | 'FAILED'
  readonly refunded: boolean
  readonly refundedAll: boolean
  readonly held: boolean
}

const begun: Fate = { status: 'CREATED', refunded: false, refundedAll: false, held: false }

/** The fate after an act; null if the act is not possible then. */
function after(fate: Fate, act: ActName): Fate | null {
  const { status, refundedAll, held } = fate
  switch (act) {
    case 'pay':
      return status === 'COMPLETED' ? null : { ...fate, status: 'COMPLETED' }
    case 'decline':
    case 'fail':
      return status === 'CREATED' ? { ...fate, status: 'FAILED' } : null
    case 'refund a part':
    case 'refund fails':
      return status === 'COMPLETED' && !refundedAll ? { ...fate, refunded: true } : null
    case 'refund all':
      return status === 'COMPLETED' && !fate.refunded ? { ...fate, refunded: true, refundedAll: true } : null
    case 'hold webhooks':
      return held ? null : { ...fate, held: true }
    case 'let webhooks go':
      return held ? { ...fate, held: false } : null
    default:
      return fate
  }
}

/** Whether a story can be played: it begins with a creation, and each act is possible when it comes. */
export function isPossible(story: Story): boolean {
  const [first = [], ...later] = story
  if (first.length !== 1 || first.some((act) => scopeOf(act) !== 'create')) return false
  let fate: Fate = begun
  for (const step of later) {
    if (step.length === 0 || new Set(step).size !== step.length) return false
    for (const act of step) {
      if (scopeOf(act) === 'create') return false
      const next = after(fate, act)
      if (next === null) return false
      fate = next
    }
    if (step.filter((act) => scopeOf(act) === 'payer').length > 1) return false
    // Two ways to move the clock are no moment.
    if (step.length > 1 && step.some((act) => takesMs(act) > 1_000)) return false
  }
  return true
}

/** Whether the order is COMPLETED in the end, and nothing more became of it: it then has to be released. */
export const endsPaid = (story: Story): boolean => {
  const all = story.flat()
  return all.includes('pay') && !all.some((act) => act.startsWith('refund'))
}

/** Whether the application may have given the order up before the payment. */
export function mayGiveUp(story: Story): boolean {
  const all = story.flat()
  const paidAt = all.indexOf('pay')
  const endedBy: readonly ActName[] = ['cancel', 'an hour passes', 'a day passes']
  return (
    paidAt >= 0 &&
    (all.some((act) => act === 'cancel') ||
      endedBy.some((act) => all.indexOf(act) >= 0 && all.indexOf(act) < paidAt))
  )
}
