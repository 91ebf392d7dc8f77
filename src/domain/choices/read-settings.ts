import { nearest, shown, ticked } from '../text/issue-words.ts'
import { isMapping } from '../text/objects.ts'
import { check, type Problem } from '../text/problems.ts'
import { problemsOf, readYaml, type SourceProblem } from '../text/yaml-source.ts'
import { jwtOf } from '../webhook/jwt.ts'
import { recipeOf } from '../webhook/recipe.ts'
import type { SettingScope } from './choice.ts'
import { contradictionsIn, printedFor } from './contradictions.ts'
import { type LearnedSettings, learnedSettings } from './learned.ts'
import {
  deciders,
  effectiveSettings,
  infoOf,
  isSettingName,
  type SettingName,
  type Settings,
  type SettingsOverlay,
  settingNames,
  settingsSchema,
} from './settings.ts'

/** A setting as written: its dotted name, its unchecked value, and its path. */
interface SettingLeaf {
  readonly path: readonly string[]
  readonly name: SettingName
  readonly value: unknown
}

/** Flattens nested settings to dotted names. A group that is `null` makes each of its settings `null`. */
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
  const printed = printedFor(name)
  if (printed !== undefined) return printed
  const meant = helps ? (namesakeOf(name) ?? nearest(name, [...settingNames, ...groups])) : undefined
  return `unknown setting ${ticked(name)}${meant === undefined ? '' : `; did you mean \`${meant}\`?`}`
}

const namesakeOf = (name: string) => settingNames.find((known) => known.endsWith(`.${name}`))

/** The number of problems with suggestions, which take time; only the first problems are shown. */
const helpAtMost = 100

/** The names of all setting groups: `webhook`, `webhook.retry` and so on. */
const groups = new Set(
  settingNames.flatMap((name) =>
    name
      .split('.')
      .slice(0, -1)
      .map((_, depth, words) => words.slice(0, depth + 1).join('.')),
  ),
)

/** The result of `readSettings`: the overlay, or all problems. */
export type SettingsReading =
  | { readonly ok: true; readonly overlay: SettingsOverlay }
  | { readonly ok: false; readonly problems: readonly Problem[] }

interface Options {
  /** The target of the settings: `client` rejects settings for all clients only, `order` also those that are read
   *  before a scenario is chosen. */
  readonly scope: SettingScope
  /** The meaning of `null`: in a patch it removes a setting or a whole group; in a file, where an empty value is a
   *  typo, it is an error. */
  readonly nulls?: 'remove' | 'refuse'
}

/** Reads settings from outside: in groups (`{ signature: { checkout: 'short' } }`), by dotted name (`{
 *  'signature.checkout': 'short' }`) or both. The overlay has dotted names and the values as written. */
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

/** Finds conflicts. Neither a patch nor an overlay can be judged alone, except for settings that contradict each
 *  other. */
function conflictOf(
  overlay: SettingsOverlay,
  leaves: readonly (SettingLeaf | Problem)[],
  { scope, nulls }: Options,
): Problem | undefined {
  const isWhole = scope === 'common' && nulls !== 'remove'
  const conflict = conflictWithin(overlay) ?? (isWhole ? conflictIn(effectiveSettings(overlay)) : undefined)
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

/** The reason to reject a setting before its value is checked. */
function refusal({ path, name, value }: SettingLeaf, { scope, nulls }: Options): string | undefined {
  const { scope: widest, allowed } = infoOf(name)
  if (scope !== 'common' && widest === 'common')
    return `\`${name}\` applies to all clients and cannot be set for one client`
  if (scope === 'order' && widest === 'client')
    return `\`${name}\` is read before a scenario is chosen, so a scenario cannot set it; set it for the client`
  // An empty group is no typo: its lines may be commented out.
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
  if (checked.ok)
    return contradictionsIn(name, value).map((problem) => ({ ...problem, path: [...path, ...problem.path] }))
  return checked.problems.map((problem) => ({
    ...problem,
    path: [...path, ...problem.path],
    message: `\`${name}\`: ${problem.message}${takes(name, problem)}`,
  }))
}

function takes(name: SettingName, { path, message }: Problem): string {
  return path.length > 0 || message.startsWith('expected') ? '' : ` (allowed: ${infoOf(name).allowed})`
}

/** A problem of settings that are valid one by one: the setting to blame, and the reason. */
interface Conflict {
  readonly name: SettingName
  readonly message: string
}

/** The names of the headers with signatures and tokens. */
function signingHeaders(settings: Settings): readonly string[] {
  const recipe = recipeOf(settings)
  const own = recipe === null ? [] : [recipe.header, ...Object.keys(recipe.headers)]
  return [...own, jwtOf(settings)?.header ?? []].flat()
}

/** Finds a conflict between settings; undefined for none. */
export function conflictIn(settings: Settings): Conflict | undefined {
  if (settings['orders.orderIdEqualsToken'] && settings['orders.ids'] !== null)
    return {
      name: 'orders.ids',
      message: '`orders.ids` has no effect with `orders.orderIdEqualsToken`; give `orders.tokens` the form',
    }
  const taken = signingHeaders(settings).find((name) => Object.hasOwn(settings['webhook.headers'], name))
  if (taken !== undefined)
    return {
      name: 'webhook.headers',
      message: `\`webhook.headers\` has the header ${taken}, which the signature or the token of a webhook uses; remove one of them`,
    }
  if (settings['webhook.format'] !== 'template' || settings['webhook.template'] !== null) return undefined
  return {
    name: 'webhook.format',
    message: '`webhook.format: template` needs `webhook.template`, the JSON to send',
  }
}

/** Finds settings of one level that contradict each other; undefined for none. */
export function conflictWithin(overlay: SettingsOverlay): Conflict | undefined {
  for (const { name, isDecisive, insteadOf } of deciders) {
    const other = isDecisive(overlay[name])
      ? insteadOf.find((each) => (overlay[each] ?? null) !== null)
      : undefined
    if (other !== undefined)
      return {
        name: other,
        message: `${ticked(other)} has no effect beside ${ticked(name)}, which decides instead; remove one of them`,
      }
  }
  return undefined
}

/** A settings file: its settings, and the evidence of `learn` if it has some. */
export interface SettingsFile {
  readonly overlay: SettingsOverlay
  readonly learned?: LearnedSettings | undefined
}

/** Reads the text of a settings file (`--settings`): settings for all clients, in groups or by dotted name, and under
 *  `learned` where they come from. An empty file sets nothing.
 *  @param file the name for problems */
export function readSettingsFile(
  text: string,
  file: string,
): SettingsFile | { problems: readonly SourceProblem[] } {
  const source = readYaml(text, file)
  if (source.problems.length > 0) return { problems: source.problems }
  const { learned, ...settings } = isMapping(source.value)
    ? { learned: undefined, ...source.value }
    : { learned: undefined }
  const written: unknown = isMapping(source.value) ? settings : (source.value ?? {})
  const reading = readSettings(written, { scope: 'common', nulls: 'refuse' })
  if (!reading.ok) return { problems: problemsOf(reading.problems, source) }
  if (learned === undefined) return { overlay: reading.overlay }
  const checked = check(learnedSettings, learned)
  if (checked.ok) return { overlay: reading.overlay, learned: checked.value }
  const problems = checked.problems.map((problem) => ({ ...problem, path: ['learned', ...problem.path] }))
  return { problems: problemsOf(problems, source) }
}
