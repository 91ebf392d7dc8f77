import * as z from 'zod'
import { orList } from '../issue-words.ts'

/** One thing that the interface document leaves open, and what the emulator does about it. */
export interface Choice {
  /** The number under which code, tests and documents cite it, such as `N19`. */
  readonly n: string
  readonly open: string
  readonly choice: string
  readonly reason: string
  /** The settings that change this choice, by dotted name. Without any, the choice is fixed. */
  readonly settings?: Readonly<Record<string, z.ZodType>>
  /** Settings of another row that change this choice too. */
  readonly also?: readonly string[]
}

/** How narrowly a setting can be set: for all clients at once only, for one client too, or also by a scenario for its
 *  orders. What is asked before a scenario is chosen can be no scenario's. */
export type SettingScope = 'common' | 'client' | 'order'

/** What is known of a setting beside its schema. */
export interface SettingInfo {
  /** The values it takes, in words. */
  readonly allowed: string
  /** The values of a closed set; left out where others are taken too. */
  readonly values?: readonly (string | boolean)[]
  /** Its default as a user would write it. */
  readonly fallback: unknown
  readonly scope: SettingScope
}

/** Where the `SettingInfo` of each setting's schema is kept. */
export const settingInfo = z.registry<SettingInfo>()

/** A setting: the schema of its value, its default in the form a user writes, and the values in words. */
export function setting<T extends z.ZodType>(
  schema: T,
  fallback: z.input<T>,
  info: { allowed: string } & Partial<SettingInfo>,
): z.ZodPrefault<T> {
  const described = z.prefault(schema, fallback)
  settingInfo.add(described, { scope: 'order', fallback, ...info })
  return described
}

/** A setting that is one word of several. */
export function oneOf<const T extends string>(
  values: readonly T[],
  fallback: NoInfer<T>,
  info: { scope?: SettingScope } = {},
): z.ZodPrefault<z.ZodEnum<{ [K in T]: K }>> {
  const words = values.map((word) => `\`${word}\``)
  return setting(z.enum(values), fallback, { ...info, allowed: orList(words), values })
}

/** A list, or the word that stands for having none, which is read as `null`: no restriction. */
export function listOr<const W extends string, T extends z.ZodType>(word: W, item: T, atLeast = 0) {
  return z.union([z.literal(word).transform(() => null), z.array(item).min(atLeast).max(1000)])
}
