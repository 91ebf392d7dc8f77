import * as z from 'zod'
import { faultStages } from '../faults/answer/answer-fault.ts'
import { contradictions, effectText, readEffect } from '../faults/answer/answer-faults.ts'
import { orderlessOperations, orderOperations } from '../journal/call-words.ts'
import { duration } from '../text/duration-schema.ts'
import type { AnswerRule } from './scenario.ts'

const orderless: readonly string[] = orderlessOperations

const namesNoOrder = ({ input }: { input?: unknown }): string | undefined =>
  typeof input === 'string' && orderless.includes(input)
    ? `a call of ${input} names no order, so a scenario cannot apply to it`
    : undefined

const operation = z.enum(orderOperations, { error: namesNoOrder })

/** The schema of a rule about answers, as scenario files write it. */
export const answerRuleText = z
  .strictObject({
    on: z
      .union([operation.transform((one) => [one]), z.array(operation).min(1)], { error: namesNoOrder })
      .meta({ description: 'The operation, or a list of operations; create-order means both create calls.' }),
    when: z.enum(faultStages).default('before').meta({
      description:
        'unchecked: before any check. before: after the checks, before anything is stored. stored: after everything is stored.',
    }),
    effect: effectText.meta({ description: 'The effect on the call.' }),
    times: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .meta({ description: 'The number of affected calls; all if left out.' }),
    nth: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .meta({ description: 'Only the n-th call that matches the rule, counted from 1.' }),
    skip: z
      .int()
      .min(0)
      .max(1_000_000)
      .optional()
      .meta({ description: 'Answers this many matching calls normally first.' }),
    for: duration
      .optional()
      .meta({ description: 'How long the rule applies, from the first matching call.' }),
  })
  .superRefine(({ on, when, effect, nth, times, skip }, context) => {
    const problem = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
    if (nth !== undefined && times !== undefined)
      problem(['nth'], 'means one call; leave `times` out, or use `skip`')
    if (nth !== undefined && skip !== undefined) problem(['nth'], 'cannot be combined with `skip`')
    for (const [member, message] of contradictions(effect, { on, when })) problem(['effect', member], message)
  })
  .transform(
    ({ on, when, effect, times, nth, skip, for: forMs }): AnswerRule => ({
      on,
      when,
      effect: readEffect(effect),
      skip: nth === undefined ? (skip ?? 0) : nth - 1,
      times: nth === undefined ? (times ?? null) : 1,
      forMs: forMs ?? null,
    }),
  )
