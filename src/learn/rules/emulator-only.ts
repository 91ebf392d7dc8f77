import type { SettingName } from '../../domain/choices/settings.ts'
import type { Rule } from './rule.ts'

/** Settings of the emulator itself: no real service has such a choice, so no capture shows it. */
const settings = [
  ['webhook.signTime', 'a real service has one clock'],
  ['orders.autopay', 'at a real service the payer pays'],
] as const satisfies readonly (readonly [SettingName, string])[]

export const emulatorOnly: Rule = {
  settings: settings.map(([name]) => name),
  learn: (_, { claims }) =>
    settings.map(([setting, why]) => ({
      setting,
      state: 'unknown',
      observations: 0,
      evidence: `no capture can show it: ${why}`,
      excluded: [],
      left: [],
      decide: null,
      ...(claims.has(setting) && { claim: { holds: true } }),
    })),
}
