import { type SettingName, type Settings, settingsSchema } from '../../../src/domain/choices/settings.ts'

/** Whether two values of a setting mean the same, as the settings file reads them: `60s` and `1m`, a list without an
 *  order in another order, `0.30` and `0.3`. */
export function sameMeaning(name: SettingName, a: unknown, b: unknown): boolean {
  const [left, right] = [meaning(name, a), meaning(name, b)]
  return left !== null && left === right
}

function meaning(name: SettingName, value: unknown): string | null {
  // A settings file leaves out a setting that has no value.
  const read = settingsSchema.shape[name].safeParse(value === null ? undefined : value)
  if (!read.success) return null
  return JSON.stringify(normalized(name, read.data), sortedKeys)
}

const unordered: ReadonlySet<SettingName> = new Set([
  'webhook.accept',
  'webhook.on',
  'subscription.intervals',
  'checkout.targetApps',
])

function normalized(name: SettingName, value: unknown): unknown {
  if (unordered.has(name) && Array.isArray(value)) return value.toSorted()
  if (name === 'limits' && isLimits(value))
    return value.map((limit) => ({ ...limit, on: operationsOf(limit.on) }))
  if (name === 'auth.tokenRoute' && isRoute(value)) return { ...value, accepts: value.accepts.toSorted() }
  if (name === 'amounts.fee' && typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([part, text]) => [part, Number(text)]))
  return withOneSpelling(name, value)
}

/** Writes placeholders that always have one value in one way: a time without a format is `iso`, headers are texts
 *  anyway, and the status of a webhook about a refund is that of the refund. */
function withOneSpelling(name: SettingName, value: unknown): unknown {
  if (!/^(webhook|errors)\./.test(name) || typeof value !== 'object' || value === null) return value
  const times = JSON.stringify(value).replaceAll(/\$\{((?:\w+T|t)ime):iso\}/g, '${$1}')
  const texts = name === 'webhook.headers' ? times.replaceAll(':text}', '}') : times
  const isAboutRefunds = name === 'webhook.refundTemplate'
  return JSON.parse(isAboutRefunds ? texts.replaceAll('${refundStatus}', '${orderStatus}') : texts)
}

const isRoute = (value: unknown): value is NonNullable<Settings['auth.tokenRoute']> =>
  typeof value === 'object' && value !== null && 'accepts' in value

const isLimits = (value: unknown): value is Settings['limits'] => Array.isArray(value)

/** Both create calls are meant by `create-order`. */
function operationsOf(on: readonly string[]): string[] {
  const each = on.flatMap((word) =>
    word === 'create-order' ? ['create-checkout-order', 'create-subscription-order'] : [word],
  )
  return [...new Set(each)].toSorted()
}

function sortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
