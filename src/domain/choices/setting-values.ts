import { layered } from './overlays.ts'
import { infoOf, type SettingName, type SettingsOverlay, settingNames } from './settings.ts'

/** All settings as a user writes them: what the overlays say, the later ones first, else their defaults. */
export function settingValues(...overlays: readonly SettingsOverlay[]): Record<string, unknown> {
  const overlay = layered(...overlays)
  return Object.fromEntries(settingNames.map((name) => [name, overlay[name] ?? infoOf(name).fallback]))
}

/** The dotted names of all settings, in the order of the choices. */
export function namesOfSettings(): readonly SettingName[] {
  return settingNames
}
