import type * as z from 'zod'
import { rivals, settingsSchema } from './settings.ts'

const names = {
  'webhook.auth': true,
  'webhook.signature': true,
  'webhook.signTime': true,
  'webhook.format': true,
  'webhook.jwt': true,
  'webhook.jwtAlgorithm': true,
} as const

const schema = settingsSchema.pick(names)

/** The settings that decide how a webhook is signed. */
export type SigningSettings = Readonly<z.output<typeof schema>>

type Values = Readonly<Record<string, unknown>>

/** Reads those settings from all settings of a client, as the control API shows them.
 *  @param over the settings of a scenario, which override them */
export function signingSettings(effective: Values, over: Values = {}): SigningSettings {
  const isReplaced = rivals.some((name) => over[name] !== undefined)
  const under = Object.entries(effective).filter(
    ([name]) => !(isReplaced && rivals.some((one) => one === name)),
  )
  const values = [...under, ...Object.entries(over)].filter(
    ([name, value]) => Object.hasOwn(names, name) && value !== null,
  )
  return schema.parse(Object.fromEntries(values))
}
