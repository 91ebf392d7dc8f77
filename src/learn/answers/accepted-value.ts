import { type SettingName, type Settings, settingsSchema } from '../../domain/choices/settings.ts'

/** Reads a value as a settings file writes it; undefined for one that the setting does not accept. `null` stands for
 *  the default where that is nothing. */
export function acceptedValue<Name extends SettingName>(
  name: Name,
  value: unknown,
): Settings[Name] | undefined
export function acceptedValue(name: SettingName, value: unknown): unknown {
  const read = settingsSchema.shape[name].safeParse(value)
  return read.success ? read.data : undefined
}
