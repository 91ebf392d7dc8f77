export { type ChoiceRow, choicesTable, type SettingRow } from './choices/choices-table.ts'
export { conflictIn } from './choices/conflicts.ts'
export { readSettings } from './choices/read-settings.ts'
export { settingValues } from './choices/setting-values.ts'
export {
  defaultSettings,
  effectiveSettings,
  layered,
  mergeOverlay,
  type Settings,
  type SettingsOverlay,
  settingNames,
} from './choices/settings.ts'
