import { infoOf, type Settings, type SettingsOverlay, settingNames, settingsSchema } from './settings.ts'

/** What holds when nothing is set. */
export const defaultSettings: Settings = settingsSchema.parse({})

/** The settings that hold under some overlays; a later one wins.
 *  @throws {z.ZodError} if an overlay did not come from `readSettings` (a bug of the caller) */
export function effectiveSettings(...overlays: readonly SettingsOverlay[]): Settings {
  const overlay = layered(...overlays)
  return Object.keys(overlay).length === 0 ? defaultSettings : settingsSchema.parse(overlay)
}

/** Several overlays as one; a later one wins. */
export function layered(...overlays: readonly SettingsOverlay[]): SettingsOverlay {
  return Object.fromEntries(overlays.flatMap(laidOver))
}

/** An overlay with a patch applied: a value replaces what was there, `null` removes it. */
export function mergeOverlay(base: SettingsOverlay, patch: SettingsOverlay): SettingsOverlay {
  return Object.fromEntries(laidOver({ ...base, ...patch }))
}

/** All settings as a user writes them: what the overlays say, the later ones first, else their defaults. */
export function settingValues(...overlays: readonly SettingsOverlay[]): Record<string, unknown> {
  const overlay = layered(...overlays)
  return Object.fromEntries(settingNames.map((name) => [name, overlay[name] ?? infoOf(name).fallback]))
}

const laidOver = (overlay: SettingsOverlay) =>
  Object.entries(overlay).filter(([, value]) => value !== null && value !== undefined)
