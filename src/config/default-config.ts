import type { Config } from '../config.ts'
import { configSchema } from './schema.ts'

/** What holds when nothing is asked for. The build puts the values here in the place of the schema, which takes a start
 *  longer than all else that it does with its flags. */
export const defaultConfig: Config = configSchema.parse({})
