import type { Config } from '../config.ts'
import type { Checked } from '../domain/problems.ts'
import { plainConfig } from './plain-config.ts'
import { readConfig } from './read-config.ts'

/** The configuration for what is given, with the defaults for the rest, or all that is wrong with it. */
export function givenConfig(given: Readonly<Record<string, unknown>>): Checked<Config> {
  const plain = plainConfig(given)
  return plain === null ? readConfig(given) : { ok: true, value: plain }
}
