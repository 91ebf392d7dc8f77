import { pageOf } from '../../../control/shapes/page.ts'
import { scenarioSummary } from '../../../control/shapes/scenario.ts'
import type { Asked } from '../view.ts'

/** The scenarios that can be typed, for fields that suggest them. */
export async function scenarioIds({ api }: Pick<Asked, 'api'>): Promise<string[]> {
  const { items } = await api.get('/scenarios', pageOf(scenarioSummary), { limit: '1000' })
  return items.map(({ id }) => id)
}
