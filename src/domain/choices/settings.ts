import * as z from 'zod'
import { isMapping } from '../text/objects.ts'
import { batchChoices } from './batches.ts'
import { callChoices } from './calls.ts'
import { type Choice, type SettingInfo, type SettingScope, settingInfo } from './choice.ts'
import { createOrderChoices } from './create-order.ts'
import { errorChoices } from './errors.ts'
import { orderChoices } from './orders.ts'
import { providerFormChoices } from './provider-forms.ts'
import { signingChoices } from './signing.ts'
import { webhookChoices } from './webhooks.ts'
import { wordingChoices } from './wording.ts'

/** All assumptions by topic: the one source of assumptions and settings. */
const choices = [
  ...createOrderChoices,
  ...errorChoices,
  ...webhookChoices,
  ...signingChoices,
  ...wordingChoices,
  ...orderChoices,
  ...callChoices,
  ...providerFormChoices,
  ...batchChoices,
] as const

/** The schema of all settings by dotted name, with their defaults. */
export const settingsSchema = z.strictObject(settingsOf(choices))

/** All settings in the form that code uses: durations are milliseconds, a list without restriction is `null`. */
export type Settings = Readonly<z.output<typeof settingsSchema>>

/** Some settings by dotted name, as a user writes them (`'orders.expiry': '15m'`), in plain JSON. In a patch, `null`
 *  removes a setting. */
export type SettingsOverlay = { readonly [Name in keyof SettingsInput]?: SettingsInput[Name] | null }

export type SettingName = keyof Settings

/** Whether a text is the dotted name of a setting. */
export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settingsSchema.shape, name)
}

/** The dotted names of all settings, in the order of the assumptions. */
export const settingNames: readonly SettingName[] = Object.keys(settingsSchema.shape).filter(isSettingName)

/** Returns what documents say about a setting. */
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

/** A setting for people, with its values in the form they write. */
export interface SettingRow {
  readonly name: SettingName
  readonly default: unknown
  /** The present value; the default without an overlay. */
  readonly value: unknown
  /** The accepted values, in words. */
  readonly allowed: string
  /** The values of a setting with a closed set; null if others are possible. */
  readonly values: readonly (string | boolean)[] | null
  readonly scope: SettingScope
}

/** An assumption, as documents and the dashboard show it. */
interface ChoiceRow {
  readonly n: string
  readonly open: string
  readonly choice: string
  readonly reason: string
  readonly settings: readonly SettingRow[]
}

/** Every assumption with its settings, for JSON and documents. Later overlays take precedence. */
export function choicesTable(...overlays: readonly SettingsOverlay[]): ChoiceRow[] {
  const overlay = layered(...overlays)
  const rows: readonly Choice[] = choices
  return rows.map(({ n, open, choice, reason, settings = {}, also = [] }) => {
    const names = [...Object.keys(settings), ...also].filter(isSettingName)
    return { n, open, choice, reason, settings: names.map((name) => settingRow(name, overlay[name])) }
  })
}

function settingRow(name: SettingName, value: unknown): SettingRow {
  const { fallback, allowed, values = null, scope } = infoOf(name)
  return {
    name,
    default: fallback,
    value: value ?? fallback,
    allowed,
    values,
    scope,
  }
}

/** The default value of every setting. */
export const defaultSettings: Settings = settingsSchema.parse({})

/** The effective settings under some overlays; later ones take precedence.
 *  @throws {z.ZodError} if an overlay did not come from `readSettings` (a bug of the caller) */
export function effectiveSettings(...overlays: readonly SettingsOverlay[]): Settings {
  const overlay = layered(...overlays)
  return Object.keys(overlay).length === 0 ? defaultSettings : settingsSchema.parse(overlay)
}

/** The settings of values as the control API shows them, under those of a scenario. */
export const settingsShown = (...levels: readonly ShownSettings[]): Settings =>
  settingsSchema.parse(layered(...levels))

/** Settings by dotted name that were read from JSON. */
export type ShownSettings = Readonly<Record<string, unknown>>

/** Merges settings of several levels; later ones override earlier ones. */
export function layered(...overlays: readonly ShownSettings[]): SettingsOverlay {
  return overlays.reduce<ShownSettings>(
    (under, over) => ({ ...withoutReplaced(under, over), ...present(over) }),
    {},
  )
}

/** Applies a patch to an overlay: a value replaces the old one, `null` removes it. */
export function mergeOverlay(base: SettingsOverlay, patch: SettingsOverlay): SettingsOverlay {
  return present({ ...withoutReplaced(base, patch), ...patch })
}

/** Settings that decide instead of others, where they have such a value. Of two levels the higher one decides, in
 *  either direction. */
export const deciders: readonly {
  readonly name: SettingName
  readonly isDecisive: (value: unknown) => boolean
  readonly insteadOf: readonly SettingName[]
}[] = [
  { name: 'webhook.signature', isDecisive: isMapping, insteadOf: ['webhook.auth'] },
  {
    name: 'webhook.retry.schedule',
    isDecisive: Array.isArray,
    insteadOf: ['webhook.retry.max', 'webhook.retry.base', 'webhook.retry.cap'],
  },
]

/** Removes the settings in whose place a higher level decides. */
function withoutReplaced(under: ShownSettings, over: ShownSettings): ShownSettings {
  const replaced = deciders.flatMap(({ name, isDecisive, insteadOf }): readonly string[] => {
    if (isDecisive(over[name])) return insteadOf
    return insteadOf.some((other) => (over[other] ?? null) !== null) ? [name] : []
  })
  if (replaced.length === 0) return under
  return Object.fromEntries(Object.entries(under).filter(([name]) => !replaced.includes(name)))
}

/** All settings in the form a user writes: from the overlays, later ones first, else the defaults. */
export function settingValues(...overlays: readonly SettingsOverlay[]): Record<string, unknown> {
  const overlay = layered(...overlays)
  return Object.fromEntries(settingNames.map((name) => [name, overlay[name] ?? infoOf(name).fallback]))
}

/** The settings of an overlay that have a value. */
const present = (overlay: ShownSettings): ShownSettings =>
  Object.fromEntries(Object.entries(overlay).filter(([, value]) => value !== null && value !== undefined))
