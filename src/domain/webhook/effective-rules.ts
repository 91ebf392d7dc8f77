import type { Settings } from '../choices/settings.ts'
import type { WebhookRule } from '../scenario/scenario.ts'
import { carriesSeveral, recipeOf } from './recipe.ts'

/** Removes lists of signatures where webhooks do not carry several, because they would have no effect (N38, N73). The
 *  behaviour of a sweep that consists of one does not show there. */
export function effectiveRules<Rule extends WebhookRule>(
  rules: readonly Rule[],
  settings: Settings,
): readonly Rule[] {
  if (carriesSeveral(recipeOf(settings))) return rules
  return rules.flatMap((rule) => {
    if (rule.faults?.signatures === undefined) return [rule]
    const { signatures: _, signatureVersions: __, ...faults } = rule.faults
    const isEmpty = Object.keys(faults).length === 0
    return rule.by === undefined ? [{ ...rule, faults: isEmpty ? undefined : faults }] : []
  })
}
