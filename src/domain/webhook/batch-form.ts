import * as z from 'zod'
import { duration } from '../text/duration-schema.ts'
import { jsonTemplate, type Placeholders } from '../text/template.ts'
import type { EpochMs } from '../text/time.ts'

/** The values that the body around the events of a batch can name. */
export const batchPlaceholders = {
  values: { events: 'json', count: 'number', webhookId: 'text', deliveryId: 'text', sentTime: 'time' },
} as const satisfies Placeholders

const hasEventsOnce = (template: unknown): boolean => {
  const text = JSON.stringify(template)
  return text.split('${events').length === 2 && text.includes('"${events}"')
}

/** Schema of the setting `webhook.batch` (N82). */
export const batchForm = z.strictObject({
  max: z.int().min(1).max(100),
  within: duration.refine((ms) => ms <= 3_600_000, 'must be at most 1h'),
  template: jsonTemplate(batchPlaceholders)
    .refine(hasEventsOnce, {
      error: 'must have the value "${events}" once: it stands for the list of the events',
    })
    .optional(),
})

/** How events are put together. */
export type BatchForm = z.output<typeof batchForm>

/** The batch that a delivery went out with. */
export interface EventBatch {
  /** The id of its first delivery. */
  readonly id: string
  /** When it was put together. */
  readonly at: EpochMs
}

/** A delivery that waits for others. */
export interface Waiting {
  readonly dueAt: EpochMs
  /** Its own settings, as text; null for none. Deliveries with different settings never go together. */
  readonly settings: string | null
  /** Whether its body is JSON. Another body goes alone and as it is. */
  readonly isJson: boolean
}

/** The deliveries that go out together next, and when: as soon as they are `max`, else `within` after the first was due.
 *  One with other settings, or that goes alone, ends the wait of those before it.
 *  @param waiting by due time */
export function nextBatch<W extends Waiting>(
  [first, ...later]: readonly W[],
  { max, within }: BatchForm,
): { readonly events: readonly W[]; readonly at: EpochMs } | null {
  if (first === undefined) return null
  if (!first.isJson) return { events: [first], at: first.dueAt }
  const closesAt = first.dueAt + within
  const inTime = [first, ...later.filter(({ dueAt }) => dueAt <= closesAt)]
  const other = inTime.findIndex(({ isJson, settings }) => !isJson || settings !== first.settings)
  const events = inTime.slice(0, other < 0 ? max : Math.min(other, max))
  const last = events.length === max ? events.at(-1) : inTime[events.length]
  return { events, at: last?.dueAt ?? closesAt }
}
