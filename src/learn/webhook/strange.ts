import type { Unexplained } from '../elimination/finding.ts'
import type { SeenEvent } from './events.ts'
import { placeWords } from './leaves.ts'
import { type Bodies, compared, fixedForms } from './reading.ts'

/** What webhooks have that no setting can express: fields, statuses and event types. */
export function strangeIn(bodies: Bodies): Unexplained[] {
  return [
    ...strangeFields(bodies),
    ...strangeTexts(bodies.statuses.unknown, 'status', bodies),
    ...strangeTexts(bodies.types.unknown, 'event type', bodies),
  ]
}

function strangeFields(bodies: Bodies): Unexplained[] {
  const { form, plain, leaves, ofOrders, ofRefunds } = bodies
  const all = [
    ...ofOrders.places,
    ...ofOrders.strays,
    ...(ofRefunds?.places ?? []),
    ...(ofRefunds?.strays ?? []),
  ]
  if (form === 'template')
    return all.flatMap(({ key, state, count, of, example, source }) =>
      state === 'unexplained' ? [{ what: whatFor(key), count, of, example: shown(example), source }] : [],
    )
  if (form === null) return []
  const found = plain.flatMap((event) =>
    compared(fixedForms[form], event, bodies).extras.map((key) => ({ key, event })),
  )
  return [...Map.groupBy(found, ({ key }) => key)].flatMap(([key, group]): Unexplained[] => {
    const [first] = group
    if (first === undefined) return []
    const explained = all.find(
      (each) => each.key === key && (each.state === 'decided' || each.state === 'likely'),
    )
    return [
      {
        ...{ what: whatFor(key), count: group.length, of: plain.length, source: first.event.source },
        example: shown(leaves.get(first.event)?.get(key)),
        ...(explained !== undefined && {
          remedy: `a field of \`webhook.template\`: \`${placeWords(key)}: ${JSON.stringify(explained.text)}\``,
        }),
      },
    ]
  })
}

const whatFor = (key: string): string => `field ${placeWords(key)} in webhooks`

const shown = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

function strangeTexts(
  texts: ReadonlyMap<SeenEvent, string>,
  what: string,
  { events }: Bodies,
): Unexplained[] {
  return [...Map.groupBy(texts, ([, text]) => text)].flatMap(([text, all]) => {
    const [first] = all
    if (first === undefined) return []
    return [
      {
        ...{ what: `${what} ${text} in webhooks`, count: all.length, of: events.length },
        ...{ example: text, source: first[0].source },
      },
    ]
  })
}
