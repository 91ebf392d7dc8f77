import { ticked } from '../issue-words.ts'
import { isMapping } from '../mapping.ts'
import { nearest } from '../nearest.ts'
import type { Problem } from '../problems.ts'
import { isSettingName, type SettingName, settingNames } from './settings.ts'

/** A setting as it was written: its dotted name, its value unchecked, and the way to it. */
export interface SettingLeaf {
  readonly path: readonly string[]
  readonly name: SettingName
  readonly value: unknown
}

/** Goes down groups as far as the names of settings; what lies below those is their value. A group that is
 *  `null` makes each of its settings `null`. */
export function settingLeaves(
  group: object,
  prefix = '',
  outer: readonly string[] = [],
): (SettingLeaf | Problem)[] {
  return Object.entries(group).flatMap(([key, value], index): (SettingLeaf | Problem)[] => {
    const name = prefix + key
    const path = [...outer, key]
    if (value === undefined) return []
    if (isSettingName(name)) return [{ path, name, value }]

    if (!groups.has(name)) return [{ path, message: unknownSetting(name, index < helpAtMost), at: 'key' }]
    const members = settingNames.filter((known) => known.startsWith(`${name}.`))
    if (value === null) return members.map((member) => ({ path, name: member, value }))
    if (isMapping(value)) return settingLeaves(value, `${name}.`, path)
    return [{ path, message: `\`${name}\` is a group; its settings are ${members.join(', ')}` }]
  })
}

function unknownSetting(name: string, helps: boolean): string {
  const meant = helps ? (namesakeOf(name) ?? nearest(name, [...settingNames, ...groups])) : undefined
  return `unknown setting ${ticked(name)}${meant === undefined ? '' : `; did you mean \`${meant}\`?`}`
}

const namesakeOf = (name: string) => settingNames.find((known) => known.endsWith(`.${name}`))

/** Looking for what was meant takes time, and only the first problems are shown. */
const helpAtMost = 100

/** `webhook`, `webhook.retry` and so on. */
const groups = new Set(
  settingNames.flatMap((name) =>
    name
      .split('.')
      .slice(0, -1)
      .map((_, depth, words) => words.slice(0, depth + 1).join('.')),
  ),
)
