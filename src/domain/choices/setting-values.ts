import { infoOf, layered, type SettingsOverlay, settingNames } from './settings.ts'

/** All settings as a user writes them: what the overlays say, the later ones first, else their defaults. */
export function settingValues(...overlays: readonly SettingsOverlay[]): Record<string, unknown> {
  const overlay = layered(...overlays)
  return Object.fromEntries(settingNames.map((name) => [name, overlay[name] ?? infoOf(name).fallback]))
}
