export { type ChoiceRow, choicesTable, type SettingRow } from './choices/choices-table.ts'
export { readSettings, type SettingsReading } from './choices/read-settings.ts'
export {
  defaultSettings,
  effectiveSettings,
  mergeOverlay,
  type SettingName,
  type Settings,
  type SettingsOverlay,
} from './choices/settings.ts'
