import { type Settings, type SettingsOverlay, settingsSchema } from './settings.ts'

/** The settings of which some are set, as code reads them.
 *  @throws {z.ZodError} if the overlay did not come from `readSettings` (a bug of the caller) */
export function parseSettings(overlay: SettingsOverlay): Settings {
  return settingsSchema.parse(overlay)
}
