import * as z from 'zod'
import { orList } from '../text/issue-words.ts'
import { hasPortZero, refusedUrl } from '../text/urls.ts'

/** The name of a JSON field that a setting may choose. */
export const fieldName = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
    'expected a name of letters, digits, _ and -, beginning with a letter',
  )

/** The emulator's external URL, without a trailing slash. */
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

const isUnder = (path: string, taken: readonly string[]): boolean =>
  taken.some((each) => path === each || path.startsWith(`${each}/`))

const takenPaths = ['/_emulator', '/pay']

/** The paths of the API specification. */
const printedPaths = [
  ...['checkout/create-order', 'subscription/create-order', 'crypto-orders', 'orders', 'fiat-refunds'],
  ...['simulate-webhook', 'webhook-url', 'fiat/webhook-url'],
].map((path) => `/v1/client/${path}`)

/** The path of the access token API (N64a). */
export const tokenPath = z
  .string()
  .max(200)
  .regex(/^(\/(?!\.{1,2}(\/|$))[\w.~-]+)+$/, 'expected a path such as /oauth/token, without placeholders')
  .refine((path) => !isUnder(path, takenPaths), {
    error: `must not be under ${takenPaths.join(', ')}`,
  })
  .refine((path) => !isUnder(path, printedPaths), {
    error: 'must not be a path of the API specification',
  })

/** The path of the payment pages, without the token (N8, N84). */
export const pagePath = z
  .string()
  .max(200)
  .regex(/^(\/(?!\.{1,2}(\/|$))[\w.~-]+)+$/, 'expected a path such as /checkout, without the token')
  .refine((path) => path === '/pay' || !isUnder(path, ['/_emulator', '/v1', '/pay']), {
    error: 'must not be under /_emulator, /v1, /pay',
  })

/** An assumption about a point that the API specification leaves open, with the emulator's behaviour. */
export interface Choice {
  /** The number that code, tests and documents use for the assumption, such as `N19`. */
  readonly n: string
  readonly open: string
  readonly choice: string
  readonly reason: string
  /** The settings that change the behaviour, by dotted name. Without any, it is fixed. */
  readonly settings?: Readonly<Record<string, z.ZodType>>
  /** Settings of another row that change the behaviour too. */
  readonly also?: readonly string[]
}

/** The narrowest scope of a setting: all clients only, one client too, or also a scenario's orders. A setting that
 *  is read before a scenario is chosen cannot belong to one. */
export type SettingScope = 'common' | 'client' | 'order'

/** The description of a setting in documents, in addition to its schema. */
export interface SettingInfo {
  /** The accepted values, in words. */
  readonly allowed: string
  /** The values of a setting with a closed set; left out if others are possible. */
  readonly values?: readonly (string | boolean)[]
  /** The default value, as a user would write it. */
  readonly fallback: unknown
  readonly scope: SettingScope
}

/** The registry that adds a `SettingInfo` to the schema of each setting. */
export const settingInfo = z.registry<SettingInfo>()

/** Declares a setting: its schema, its default in the form a user writes, and a description of its values. */
export function setting<T extends z.ZodType>(
  schema: T,
  fallback: z.input<T>,
  info: { allowed: string } & Partial<SettingInfo>,
): z.ZodPrefault<T> {
  const described = z.prefault(schema, fallback)
  settingInfo.add(described, { scope: 'order', fallback, ...info })
  return described
}

/** Declares a setting with a closed set of words. */
export function oneOf<const T extends string>(
  values: readonly T[],
  fallback: NoInfer<T>,
  info: { scope?: SettingScope } = {},
): z.ZodPrefault<z.ZodEnum<{ [K in T]: K }>> {
  const words = values.map((word) => `\`${word}\``)
  return setting(z.enum(values), fallback, { ...info, allowed: orList(words), values })
}

/** A list, or a word for an absent one, which is read as `null`: no restriction. */
export function listOr<const W extends string, T extends z.ZodType>(word: W, item: T, atLeast = 0) {
  return z.union([z.literal(word).transform(() => null), z.array(item).min(atLeast).max(1000)])
}
