import { shown } from '../issue-words.ts'
import { isMapping } from '../mapping.ts'
import { check, type Problem } from '../problems.ts'
import type { SettingScope } from './choice.ts'
import { conflictIn } from './conflicts.ts'
import { effectiveSettings } from './overlays.ts'
import { type SettingLeaf, settingLeaves } from './setting-leaves.ts'
import { infoOf, type SettingName, type SettingsOverlay, settingsSchema } from './settings.ts'

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
    return problemsOf(leaf, options)
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

function problemsOf(leaf: SettingLeaf, options: Options): Problem[] {
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
