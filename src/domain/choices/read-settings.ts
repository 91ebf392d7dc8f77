import { nearest, shown, ticked } from '../text/issue-words.ts'
import { isMapping } from '../text/objects.ts'
import { check, type Problem } from '../text/problems.ts'
import { problemsOf, readYaml, type SourceProblem } from '../text/yaml-source.ts'
import type { SettingScope } from './choice.ts'
import {
  effectiveSettings,
  infoOf,
  isSettingName,
  type SettingName,
  type Settings,
  type SettingsOverlay,
  settingNames,
  settingsSchema,
} from './settings.ts'

/** A setting as it was written: its dotted name, its value unchecked, and the way to it. */
interface SettingLeaf {
  readonly path: readonly string[]
  readonly name: SettingName
  readonly value: unknown
}

/** Goes down groups as far as the names of settings; what lies below those is their value. A group that is
 *  `null` makes each of its settings `null`. */
function settingLeaves(group: object, prefix = '', outer: readonly string[] = []): (SettingLeaf | Problem)[] {
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

/** What `readSettings` makes of its input: all of it, or everything that is wrong with it. */
export type SettingsReading =
  | { readonly ok: true; readonly overlay: SettingsOverlay }
  | { readonly ok: false; readonly problems: readonly Problem[] }

interface Options {
  /** For what it is: `client` refuses what can only be set for all clients at once, `order` also what is asked before a
   *  scenario is chosen. */
  readonly scope: SettingScope
  /** What `null` means: in a patch, that a setting or a whole group is taken away; in a file, where an empty
   *  value is a slip, nothing good. */
  readonly nulls?: 'remove' | 'refuse'
}

/** Reads settings from outside: in groups (`{ signature: { checkout: 'short' } }`), by dotted name
 *  (`{ 'signature.checkout': 'short' }`) or both. The overlay has dotted names and the values as written. */
export function readSettings(input: unknown, options: Options): SettingsReading {
  if (!isMapping(input)) {
    return {
      ok: false,
      problems: [{ path: [], message: `expected an object of settings, not ${shown(input)}` }],
    }
  }
  const leaves = settingLeaves(input)
  const seen = new Set<SettingName>()
  const problems = leaves.flatMap((leaf): Problem[] => {
    if ('message' in leaf) return [leaf]
    if (seen.has(leaf.name)) return [{ path: leaf.path, message: `\`${leaf.name}\` is set twice`, at: 'key' }]
    seen.add(leaf.name)
    return settingProblems(leaf, options)
  })
  if (problems.length > 0) return { ok: false, problems }
  const overlay = overlayOf(leaves)
  const conflict = conflictOf(overlay, leaves, options)
  return conflict === undefined ? { ok: true, overlay } : { ok: false, problems: [conflict] }
}

/** Only what stands on its own can be judged as a whole: neither a patch nor what is laid over something else. */
function conflictOf(
  overlay: SettingsOverlay,
  leaves: readonly (SettingLeaf | Problem)[],
  { scope, nulls }: Options,
): Problem | undefined {
  if (scope !== 'common' || nulls === 'remove') return undefined
  const conflict = conflictIn(effectiveSettings(overlay))
  const culprit = leaves.find((leaf) => 'name' in leaf && leaf.name === conflict?.name)
  return conflict && { path: culprit?.path ?? [], message: conflict.message }
}

function overlayOf(leaves: readonly (SettingLeaf | Problem)[]): SettingsOverlay {
  return Object.assign({}, ...leaves.map((leaf) => ('name' in leaf ? { [leaf.name]: leaf.value } : {})))
}

function settingProblems(leaf: SettingLeaf, options: Options): Problem[] {
  const message = refusal(leaf, options)
  if (message !== undefined) return [{ path: leaf.path, message }]
  return leaf.value === null ? [] : valueProblems(leaf)
}

/** Why a setting is refused whatever its schema says of its value. */
function refusal({ path, name, value }: SettingLeaf, { scope, nulls }: Options): string | undefined {
  const { scope: widest, allowed } = infoOf(name)
  if (scope !== 'common' && widest === 'common')
    return `\`${name}\` applies to all clients and cannot be set for one client`
  if (scope === 'order' && widest === 'client')
    return `\`${name}\` is read before a scenario is chosen, so a scenario cannot set it; set it for the client`
  // A group without lines is no slip: they may be commented out.
  if (value === null && nulls === 'refuse' && path.join('.') === name) {
    const advice = allowed.includes('`null`')
      ? 'write "null" in quotes'
      : 'leave the setting out to use its default'
    return `\`${name}\` has no value; ${advice}`
  }
  return undefined
}

function valueProblems({ path, name, value }: SettingLeaf): Problem[] {
  const checked = check(settingsSchema.shape[name], value)
  if (checked.ok) return []
  return checked.problems.map((problem) => ({
    ...problem,
    path: [...path, ...problem.path],
    message: `\`${name}\`: ${problem.message}${takes(name, problem)}`,
  }))
}

function takes(name: SettingName, { path, message }: Problem): string {
  return path.length > 0 || message.startsWith('expected') ? '' : ` (allowed: ${infoOf(name).allowed})`
}

/** Something wrong with settings that are right one by one: the setting to blame, and why. */
interface Conflict {
  readonly name: SettingName
  readonly message: string
}

/** What is wrong with settings taken together; undefined if nothing is. */
export function conflictIn(settings: Settings): Conflict | undefined {
  if (settings['webhook.format'] !== 'template' || settings['webhook.template'] !== null) return undefined
  return {
    name: 'webhook.format',
    message: '`webhook.format: template` needs `webhook.template`, the JSON to send',
  }
}

/** Reads the text of a settings file, as `--settings` names it: settings for all clients, in groups or by dotted
 *  name. An empty file sets nothing.
 *  @param file the name that problems carry */
export function readSettingsFile(
  text: string,
  file: string,
): { overlay: SettingsOverlay } | { problems: readonly SourceProblem[] } {
  const source = readYaml(text, file)
  if (source.problems.length > 0) return { problems: source.problems }
  const reading = readSettings(source.value ?? {}, { scope: 'common', nulls: 'refuse' })
  return reading.ok ? { overlay: reading.overlay } : { problems: problemsOf(reading.problems, source) }
}
