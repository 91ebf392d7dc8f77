import type { Unexplained } from '../elimination/finding.ts'
import type { Source } from '../traffic/exchange.ts'
import type { Fields } from './records.ts'

/** An object of an answer, and where it was read. */
export interface SeenObject {
  readonly source: Source
  readonly fields: Fields
}

/** Lists the fields that are not documented, each with its number and an example.
 *  @param place where they are, such as `create answers`
 *  @param prefix the name of the object in its answer, with a point */
export function furtherFields(
  objects: readonly SeenObject[],
  { known, place, prefix = '' }: { known: readonly string[]; place: string; prefix?: string },
): Unexplained[] {
  return counted(
    objects.flatMap(({ source, fields }) =>
      Object.entries(fields)
        .filter(([name]) => !known.includes(name))
        .map(([name, value]) => ({
          source,
          what: `field \`${prefix}${name}\` in ${place}`,
          example: JSON.stringify(value) ?? '',
        })),
    ),
    objects.length,
  )
}

/** Something that no setting can express, seen once. */
export interface Oddity {
  readonly source: Source
  readonly what: string
  readonly example: string
  readonly remedy?: string
}

/** Counts equal oddities.
 *  @param of how many observations could have had one */
export function counted(oddities: readonly Oddity[], of: number | null): Unexplained[] {
  return [...Map.groupBy(oddities, ({ what }) => what).values()].flatMap((same) => {
    const [first] = same
    return first === undefined ? [] : [{ ...first, count: same.length, of }]
  })
}
