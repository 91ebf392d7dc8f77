export { choicesTable, type SettingRow } from './choices/choices-table.ts'
export { conflictIn } from './choices/conflicts.ts'
export {
  defaultSettings,
  effectiveSettings,
  layered,
  mergeOverlay,
  settingValues,
} from './choices/overlays.ts'
export { readSettings } from './choices/read-settings.ts'
export { type Settings, type SettingsOverlay, settingNames } from './choices/settings.ts'
