import { orList } from '../issue-words.ts'
import { nearest } from '../nearest.ts'
import type { Problem } from '../problems.ts'
import { unwrittenStatuses } from '../statuses.ts'
import type { ChargeRule, ScenarioStep } from './scenario.ts'
import type { WebhookRule } from './webhook-rules.ts'

/** Every status that a webhook of the scenario may tell: those that its lines write, and those that an order can get
 *  without a line. */
export function statusesTold(
  timeline: readonly ScenarioStep[],
  charges: readonly ChargeRule[],
): ReadonlySet<string> {
  const written = timeline.flatMap(({ effects }) =>
    effects.flatMap((effect) => {
      const tells = effect.do === 'order' || effect.do === 'refund' || effect.do === 'refund-status'
      return tells ? [effect.status] : []
    }),
  )
  return new Set([...unwrittenStatuses, ...written, ...charges.map(({ status }) => status)])
}

/** What is wrong with the statuses that rules name: a rule about one that never comes would do nothing, and a
 *  webhook that waits for it would never leave. */
export function strangeStatuses(
  rules: readonly WebhookRule[],
  known: ReadonlySet<string>,
  path: readonly (string | number)[],
): Problem[] {
  return rules.flatMap((rule, index) =>
    (['of', 'after'] as const).flatMap((member) => {
      const status = rule[member]
      if (status === undefined || known.has(status)) return []
      const near = nearest(status, known)
      const meant =
        near === undefined ? `known statuses are ${orList([...known])}` : `did you mean \`${near}\`?`
      return [
        { path: [...path, index, member], message: `the order never gets the status ${status}; ${meant}` },
      ]
    }),
  )
}

/** Which rules have webhooks wait for each other: none of them would ever leave. */
export function circles(rules: readonly WebhookRule[], path: readonly (string | number)[]): Problem[] {
  const awaited = (status: string) => {
    const rule = rules.findLast(({ of, after }) => after !== undefined && (of ?? status) === status)
    return rule?.after === status ? undefined : rule?.after
  }
  return rules.flatMap(({ of, after }, index) => {
    if (of === undefined || after === undefined) return []
    const way = [of]
    for (let next = awaited(of); next !== undefined; next = awaited(next)) {
      if (way.includes(next))
        return [
          {
            path: [...path, index, 'after'],
            message: `would wait forever: ${[...way, next].join(' after ')}`,
          },
        ]
      way.push(next)
    }
    return []
  })
}
