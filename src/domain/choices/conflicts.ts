import type { SettingName, Settings } from './settings.ts'

/** Something wrong with settings that are right one by one: the setting to blame, and why. */
export interface Conflict {
  readonly name: SettingName
  readonly message: string
}

/** What is wrong with settings taken together; undefined if nothing is. */
export function conflictIn(settings: Settings): Conflict | undefined {
  if (settings['webhook.format'] !== 'template' || settings['webhook.template'] !== null) return undefined
  return {
    name: 'webhook.format',
    message: '`webhook.format: template` needs `webhook.template`, the JSON to send',
  }
}
