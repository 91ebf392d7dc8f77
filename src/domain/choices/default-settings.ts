import { type Settings, settingsSchema } from './settings.ts'

/** What holds when nothing is set. The build puts the values here in the place of the schemas, which a start seldom
 *  needs. */
export const defaultSettings: Settings = settingsSchema.parse({})
