import type { ControlAccess } from './control-call.ts'
import { emulatorUrl } from './emulator-url.ts'
import type { Environment } from './terminal.ts'

/** Which emulator the flags `--url` and `--control-token` name, or their variables. @throws GiveUp */
export function controlAccess(flags: Readonly<Record<string, unknown>>, env: Environment): ControlAccess {
  const token = typeof flags.controlToken === 'string' ? flags.controlToken : env.EMULATOR_CONTROL_TOKEN
  return { url: emulatorUrl(flags.url, env), controlToken: token || null }
}
