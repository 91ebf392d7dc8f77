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
  return Object.entries(group).flatMap(([key, value]): (SettingLeaf | Problem)[] => {
    const name = prefix + key
    const path = [...outer, key]
    if (value === undefined) return []
    if (isSettingName(name)) return [{ path, name, value }]

    const members = settingNames.filter((known) => known.startsWith(`${name}.`))
    if (members.length === 0) return [{ path, message: unknownSetting(name), at: 'key' }]
    if (value === null) return members.map((member) => ({ path, name: member, value }))
    if (isMapping(value)) return settingLeaves(value, `${name}.`, path)
    return [{ path, message: `\`${name}\` is a group; its settings are ${members.join(', ')}` }]
  })
}

function unknownSetting(name: string): string {
  const namesake = settingNames.find((known) => known.endsWith(`.${name}`))
  const meant = namesake ?? nearest(name, [...settingNames, ...groups])
  return `unknown setting ${ticked(name)}${meant === undefined ? '' : `; did you mean \`${meant}\`?`}`
}

/** `webhook`, `webhook.retry` and so on. */
const groups = new Set(
  settingNames.flatMap((name) =>
    name
      .split('.')
      .slice(0, -1)
      .map((_, depth, words) => words.slice(0, depth + 1).join('.')),
  ),
)
