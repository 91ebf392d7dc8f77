import { isMapping } from '../../domain/text/objects.ts'

export type EventFields = Readonly<Record<string, unknown>>

/** Changes the fields of each event in a webhook's body, which is one event or a list of them.
 *  @returns null for a body that is neither */
export function changedEvents(
  body: string,
  change: (fields: EventFields) => EventFields,
): EventFields | readonly EventFields[] | null {
  const value: unknown = JSON.parse(body)
  if (Array.isArray(value)) return value.every(isMapping) ? value.map((each) => change({ ...each })) : null
  return isMapping(value) ? change({ ...value }) : null
}
