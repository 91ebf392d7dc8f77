import { scenarioSummary } from '../../../control/shapes/scenario.ts'
import { allItems } from '../all-items.ts'
import type { Asked } from '../view.ts'

/** The scenarios that can be typed, for fields that suggest them. */
export const scenarioIds = async ({ api }: Pick<Asked, 'api'>): Promise<string[]> =>
  (await allItems(api, '/scenarios', scenarioSummary)).map(({ id }) => id)
