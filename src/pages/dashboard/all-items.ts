import type { z } from 'zod'
import { pageOf } from '../../control/shapes/page.ts'
import type { ControlApi } from './control-api.ts'

/** No list that is read to its end has more. */
const most = 5_000

/** A list from its first page to its last, for what is searched and grouped as a whole: scenarios, choices, clients.
 *  Never for what grows with traffic. */
export async function allItems<Item extends z.ZodType>(
  api: Pick<ControlApi, 'get'>,
  path: string,
  item: Item,
  query: Readonly<Record<string, string | undefined>> = {},
): Promise<z.output<Item>[]> {
  const items: z.output<Item>[] = []
  let cursor: string | null | undefined
  do {
    const page = await api.get(path, pageOf(item), { limit: '1000', ...query, cursor: cursor ?? undefined })
    items.push(...page.items)
    cursor = page.next
  } while (cursor !== null && items.length < most)
  return items
}
