import type { Config } from '../config.ts'
import { type Checked, check } from '../domain/problems.ts'
import { configSchema } from './schema.ts'

/** Reads a configuration: what is given, with the defaults for the rest. */
export function readConfig(given: unknown): Checked<Config> {
  return check(configSchema, given)
}
