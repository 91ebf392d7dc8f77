import * as z from 'zod'
import { type Choice, type SettingInfo, settingInfo } from './choice.ts'
import { createOrderChoices } from './create-order.ts'
import { errorChoices } from './errors.ts'
import { orderChoices } from './orders.ts'
import { webhookChoices } from './webhooks.ts'

/** Every choice, N1 to N69 in order; the one place where choices and settings come from. */
export const choices = [...createOrderChoices, ...errorChoices, ...webhookChoices, ...orderChoices] as const

/** The settings, strictly: every dotted name with its schema and its default. */
export const settingsSchema = z.strictObject(settingsOf(choices))

/** All settings with their values as code reads them: durations are milliseconds, a list that restricts
 *  nothing is `null`. */
export type Settings = Readonly<z.output<typeof settingsSchema>>

/** Some settings by dotted name, as a user writes them (`'orders.expiry': '15m'`); JSON through and through.
 *  A `null` lays nothing over: in a patch it takes away what lay there. */
export type SettingsOverlay = { readonly [Name in keyof SettingsInput]?: SettingsInput[Name] | null }

export type SettingName = keyof Settings

/** Whether a text is the dotted name of a setting. */
export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settingsSchema.shape, name)
}

/** The dotted names of all settings, in the order of the choices. */
export const settingNames: readonly SettingName[] = Object.keys(settingsSchema.shape).filter(isSettingName)

/** What is known of a setting beside its schema. */
export function infoOf(name: SettingName): SettingInfo {
  const info = settingInfo.get(settingsSchema.shape[name])
  if (info === undefined) throw new TypeError(`${name} was not made by setting()`)
  return info
}

type SettingsInput = z.input<typeof settingsSchema>
type Intersection<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void
  ? I
  : never
type SettingsOf<C> = C extends { readonly settings: infer S } ? S : never
type ShapeOf<C> = { [Name in keyof Intersection<SettingsOf<C>>]: Intersection<SettingsOf<C>>[Name] }

function settingsOf<const C extends Choice>(rows: readonly C[]): ShapeOf<C>
function settingsOf(rows: readonly Choice[]): object {
  return Object.assign({}, ...rows.map((row) => row.settings))
}
