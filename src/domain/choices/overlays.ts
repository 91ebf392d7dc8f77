import { defaultSettings } from './default-settings.ts'
import { parseSettings } from './parse-settings.ts'
import type { Settings, SettingsOverlay } from './settings.ts'

/** The settings that hold under some overlays; a later one wins.
 *  @throws {z.ZodError} if an overlay did not come from `readSettings` (a bug of the caller) */
export function effectiveSettings(...overlays: readonly SettingsOverlay[]): Settings {
  const overlay = layered(...overlays)
  return Object.keys(overlay).length === 0 ? defaultSettings : parseSettings(overlay)
}

/** Several overlays as one; a later one wins. */
export function layered(...overlays: readonly SettingsOverlay[]): SettingsOverlay {
  return Object.fromEntries(overlays.flatMap(laidOver))
}

/** An overlay with a patch applied: a value replaces what was there, `null` removes it. */
export function mergeOverlay(base: SettingsOverlay, patch: SettingsOverlay): SettingsOverlay {
  return Object.fromEntries(laidOver({ ...base, ...patch }))
}

const laidOver = (overlay: SettingsOverlay) =>
  Object.entries(overlay).filter(([, value]) => value !== null && value !== undefined)
