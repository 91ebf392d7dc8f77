import type { PrintedOrderStatus } from '../../domain/order/statuses.ts'
import { type ActName, scopeOf, takesMs } from './acts.ts'

/** One step of a story: an act, or several at the same moment. */
export type Step = readonly ActName[]

/** What happens to one order, from its creation. The first step creates it. */
export type Story = readonly Step[]

/** Stories that are played beside each other: all have the same skeleton. */
export type Batch = readonly Story[]

/** A step in words: an act, or several at the same moment. */
export type StepText = string | { readonly together: readonly string[] }

/** A story as files and reports have it. */
export const toStepTexts = (story: Story): StepText[] =>
  story.map((step): StepText => (step.length === 1 ? (step[0] ?? '') : { together: [...step] }))

/** The acts of a step. */
const actsOf = (step: Step | StepText): readonly string[] =>
  typeof step === 'string' ? [step] : 'together' in step ? step.together : step

/** The number of acts, without the creation. */
export const actsIn = (story: readonly (Step | StepText)[]): number => story.flatMap(actsOf).length - 1

/** A story several times, to play it beside itself. */
export const copiesOf = (story: Story, count: number): Story[] =>
  Array.from({ length: count }, () => [...story])

/** A story on one line: `create, hold webhooks, pay + reconcile`. */
export const storyText = (story: Story): string => story.map(stepText).join('; ')

/** A step on one line: `pay + reconcile`. */
export const stepText = (step: Step | StepText): string => actsOf(step).join(' + ')

/** Each story once. */
export const distinct = (stories: readonly Story[]): Story[] => [
  ...new Map(stories.map((story) => [storyText(story), story])).values(),
]

/** Groups stories by their skeletons: those of a group can be played beside each other. */
export const bySkeleton = (stories: readonly Story[]): Story[][] => [
  ...Map.groupBy(stories, (story) => storyText(skeletonOf(story))).values(),
]

export const withoutEmptySteps = (story: Story): Story => story.filter((step) => step.length > 0)

/** The part of a story that all stories of a batch share: how the order is created, what becomes of it at the service,
 *  and what concerns all orders of the client. Empty steps keep the times of the others. */
export function skeletonOf(story: Story): Story {
  const shared = story.map((step) => step.filter((act) => scopeOf(act) !== 'order'))
  return shared.slice(0, shared.findLastIndex((step) => step.length > 0) + 1)
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
  readonly status: PrintedOrderStatus
  readonly refunded: boolean
  readonly refundedAll: boolean
  readonly held: boolean
}

const begun: Fate = { status: 'CREATED', refunded: false, refundedAll: false, held: false }

/** The fate after an act, or why the act is not possible then. */
function after(fate: Fate, act: ActName): Fate | string {
  const { status, refunded, refundedAll, held } = fate
  switch (act) {
    case 'pay':
      return status === 'COMPLETED' ? 'the order is paid already' : { ...fate, status: 'COMPLETED' }
    case 'decline':
    case 'fail':
      return status === 'CREATED' ? { ...fate, status: 'FAILED' } : `the order is ${status} already`
    case 'refund a part':
    case 'refund fails':
    case 'refund all':
      if (status !== 'COMPLETED') return 'only a paid order can be refunded; put `pay` before it'
      if (refundedAll) return 'the order is refunded already'
      if (act === 'refund all' && refunded) return 'a part of the order is refunded already'
      return { ...fate, refunded: true, refundedAll: act === 'refund all' }
    case 'hold webhooks':
      return held ? 'the webhooks are held already' : { ...fate, held: true }
    case 'let webhooks go':
      return held ? { ...fate, held: false } : 'no webhooks are held; put `hold webhooks` before it'
    default:
      return fate
  }
}

/** Whether a story can be played: it begins with a creation, and each act is possible when it comes. */
export const isPossible = (story: Story): boolean => impossibleIn(story) === null

/** An act that is not possible when it comes. */
export interface Impossible {
  /** Index of its step, and of the act within the step. */
  readonly step: number
  readonly act: number
  /** What is wrong, and what to do. */
  readonly why: string
}

/** The first act of a story that is not possible when it comes; null if there is none. */
export function impossibleIn(story: Story): Impossible | null {
  const [first = [], ...later] = story
  const [create] = first
  if (create === undefined || scopeOf(create) !== 'create') return { step: 0, act: 0, why: noCreation }
  if (first.length > 1) return { step: 0, act: 1, why: 'the order has to be created before' }
  let fate: Fate = begun
  for (const [index, step] of later.entries()) {
    const wrong = (act: number, why: string): Impossible => ({ step: index + 1, act, why })
    if (step.length === 0) return wrong(0, 'a step has at least one act')
    for (const [at, act] of step.entries()) {
      const next = notAt(step, at) ?? after(fate, act)
      if (typeof next === 'string') return wrong(at, next)
      fate = next
    }
  }
  return null
}

const noCreation = 'a story begins with one of the acts that create the order, like `create`'

/** Why an act cannot be in its step, whatever came before; null if it can. */
function notAt(step: Step, at: number): string | null {
  const act = step[at] ?? 'create'
  const before = step.slice(0, at)
  if (scopeOf(act) === 'create') return 'an order is created only once, by the first act'
  if (before.includes(act)) return 'it occurs twice at the same moment'
  if (scopeOf(act) === 'payer' && before.some((other) => scopeOf(other) === 'payer'))
    return 'only one act of the payer can happen at a moment'
  if (step.length > 1 && takesMs(act) > 1_000)
    return 'it takes longer than a moment; make it a step of its own'
  return null
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
  const before = all.slice(0, Math.max(0, paidAt))
  const isLong = before.includes('an hour passes') || before.includes('a day passes')
  return paidAt >= 0 && (isLong || all.includes('cancel'))
}
