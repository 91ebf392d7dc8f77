import { createHash } from 'node:crypto'
import { z } from 'zod'
import { duration } from './duration.ts'
import type { OrderKind } from './order.ts'

/** What a step does to its order. */
export type Effect =
  | { readonly do: 'pay' }
  | { readonly do: 'order'; readonly status: string; readonly errorCode: string | null }

/** A step of a scenario, `offsetMs` after its order's creation. */
interface ScenarioStep {
  readonly offsetMs: number
  readonly effect: Effect
}

/** A script of what happens to an order, checked and ready to be followed. */
export interface Scenario {
  readonly id: string
  readonly description: string
  /** What it tests in the code of whoever uses it. */
  readonly tests: string
  /** The kinds of order it serves; null for all. */
  readonly for: readonly OrderKind[] | null
  readonly timeline: readonly ScenarioStep[]
}

const kinds = ['checkout', 'subscription', 'payout', 'crypto-payin'] as const
const kind = z.enum(kinds)

const stepText = z.strictObject({
  at: duration
    .optional()
    .meta({ description: 'When, counted from the creation of the order: 0s, 2s, 12m, 26h.' }),
  after: duration.optional().meta({ description: 'When, counted from the step before.' }),
  pay: z.literal('completed').optional().meta({ description: 'The payer pays.' }),
  order: z.string().min(1).max(64).optional().meta({ description: 'The order gets this status.' }),
  error: z
    .string()
    .min(1)
    .max(32)
    .optional()
    .meta({ description: 'The errorCode of a FAILED order; 9004 if left out.' }),
  force: z.boolean().optional().meta({ description: 'Allows a step that leaves COMPLETED or FAILED.' }),
})

/** A scenario file as it is written. Rules that one member alone cannot tell are in `compileScenario`. */
export const scenarioText = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens, like fail-9004'),
  description: z.string().min(1),
  tests: z.string().min(1).default('').meta({ description: 'What this tests in your code.' }),
  for: z.union([kind.transform((one) => [one]), z.array(kind).min(1)]).optional(),
  timeline: z.array(stepText).max(1000),
})

type StepText = z.output<typeof stepText>

export interface ScenarioProblem {
  readonly path: (string | number)[]
  readonly message: string
}

/** Turns a written scenario into one that can be followed, or tells everything that is wrong with it. */
export function compileScenario(
  text: z.output<typeof scenarioText>,
): { scenario: Scenario } | { problems: ScenarioProblem[] } {
  const problems: ScenarioProblem[] = []
  const timeline: ScenarioStep[] = []
  let offsetMs = 0
  let finalAt: string | null = null
  let paid = false
  for (const [index, step] of text.timeline.entries()) {
    const problem = (message: string, ...member: string[]) =>
      problems.push({ path: ['timeline', index, ...member], message })

    if ((step.at === undefined) === (step.after === undefined)) {
      problem('a step needs a time: either `at` (since the creation) or `after` (since the step before)')
    }
    const nextOffset = step.at ?? offsetMs + (step.after ?? 0)
    if (nextOffset < offsetMs)
      problem('is earlier than the step before; write the steps in order of time', 'at')
    offsetMs = nextOffset

    const effect = effectOf(step)
    if (effect === null) {
      problem('a step does one thing: either `pay: completed` or `order: <STATUS>`')
      continue
    }
    if (step.error !== undefined && !(effect.do === 'order' && effect.status === 'FAILED')) {
      problem('only a step with `order: FAILED` has an error code', 'error')
    }
    if (finalAt !== null && step.force !== true) {
      problem(`the order is ${finalAt} already, which is final; say \`force: true\` if you mean to leave it`)
    }
    if (effect.do === 'pay' && paid) problem('the order has been paid by an earlier step', 'pay')
    if (effect.do === 'pay') paid = true
    if (effect.do === 'order' && isTerminal(effect.status)) finalAt = effect.status
    timeline.push({ offsetMs, effect })
  }
  if (problems.length > 0) return { problems }
  const { id, description, tests } = text
  return { scenario: { id, description, tests, for: text.for ?? null, timeline } }
}

/** COMPLETED and FAILED are final (N60). */
export const isTerminal = (status: string): boolean => status === 'COMPLETED' || status === 'FAILED'

/** A name for exactly this content. */
export function versionOf(scenario: Scenario): string {
  return createHash('sha256').update(JSON.stringify(scenario)).digest('hex').slice(0, 16)
}

function effectOf(step: StepText): Effect | null {
  if ((step.pay === undefined) === (step.order === undefined)) return null
  if (step.order === undefined) return { do: 'pay' }
  return { do: 'order', status: step.order, errorCode: step.order === 'FAILED' ? (step.error ?? null) : null }
}
