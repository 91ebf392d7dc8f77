import type { Choice, SettingScope } from './choice.ts'
import { layered } from './overlays.ts'
import { choices, infoOf, isSettingName, type SettingName, type SettingsOverlay } from './settings.ts'

/** A setting as people read it, with its values in the form they write. */
export interface SettingRow {
  readonly name: string
  readonly default: unknown
  /** What it is now; its default if nothing is laid over. */
  readonly value: unknown
  /** The values it takes, in words. */
  readonly allowed: string
  /** The values of a closed set; null where others are taken too. */
  readonly values: readonly (string | boolean)[] | null
  readonly scope: SettingScope
}

/** A choice as people read it. */
interface ChoiceRow {
  readonly n: string
  readonly open: string
  readonly choice: string
  readonly reason: string
  readonly settings: readonly SettingRow[]
}

/** Every choice with its settings, as JSON and documents show them; values are those of the overlays, the later
 *  ones first. */
export function choicesTable(...overlays: readonly SettingsOverlay[]): ChoiceRow[] {
  const overlay = layered(...overlays)
  const rows: readonly Choice[] = choices
  return rows.map(({ n, open, choice, reason, settings = {}, also = [] }) => {
    const names = [...Object.keys(settings), ...also].filter(isSettingName)
    return { n, open, choice, reason, settings: names.map((name) => settingRow(name, overlay[name])) }
  })
}

function settingRow(name: SettingName, value: unknown): SettingRow {
  const { fallback, allowed, values = null, scope } = infoOf(name)
  return {
    name,
    default: fallback,
    value: value ?? fallback,
    allowed,
    values,
    scope,
  }
}
