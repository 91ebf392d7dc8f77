import type { Config, ConfigInput } from '../config.ts'
import { defaultConfig } from './default-config.ts'

/** The configuration for what most starts ask for, without its schema.
 *  @param given members and what they shall be
 *  @returns what `readConfig` would make of it; null if that has to be asked, because something is wrong or takes more than
 *    a look */
export function plainConfig(given: Readonly<Record<string, unknown>>): Config | null {
  const plain = Object.entries(given).every(([name, value]) => tests.get(name)?.(value) === true)
  return plain ? { ...defaultConfig, ...given } : null
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
const isWhole = (value: unknown, most = Infinity): boolean =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= most
const isSwitch = (value: unknown): boolean => typeof value === 'boolean'

/** Members that are taken as they are, and what is right for them. */
const tests = new Map<string, (value: unknown) => boolean>(
  Object.entries({
    port: (value) => isWhole(value, 65_535),
    host: isText,
    database: isText,
    durable: isSwitch,
    seed: isText,
    apiSecret: isText,
    openControl: isSwitch,
    drainMs: (value) => isWhole(value),
  } satisfies { readonly [Name in keyof ConfigInput]: (value: unknown) => boolean }),
)
