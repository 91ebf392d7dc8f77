import * as z from 'zod'
import { orList } from '../text/issue-words.ts'
import { hasPortZero, refusedUrl } from '../text/urls.ts'

/** The name of a JSON member that a setting may choose. */
export const fieldName = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
    'expected a name of letters, digits, _ and -, beginning with a letter',
  )

/** The outside address of the emulator, without the slash at its end. */
export const httpBase = z
  .url({
    protocol: /^https?$/,
    error: ({ input }) => `expected an absolute http or https URL${refusedUrl(input)}`,
    abort: true,
  })
  .max(2048)
  .regex(/^[^?#@\s]*$/, {
    error: ({ input }) => `must have no query, no fragment and no credentials${refusedUrl(input)}`,
  })
  .refine((url) => !hasPortZero(url), {
    error: ({ input }) => `must have a port from 1 to 65535${refusedUrl(input)}`,
  })
  .transform((url) => url.replace(/\/+$/, ''))

const takenPaths = ['/_emulator', '/v1/client', '/pay']

/** Where the access token API may be mounted (N64a). */
export const tokenPath = z
  .string()
  .max(200)
  .regex(/^(\/(?!\.{1,2}(\/|$))[\w.~-]+)+$/, 'expected a path such as /oauth/token, without placeholders')
  .refine((path) => !takenPaths.some((taken) => path === taken || path.startsWith(`${taken}/`)), {
    error: `must not be under ${takenPaths.join(', ')}`,
  })

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
