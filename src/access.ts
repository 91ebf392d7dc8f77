import { randomBytes } from 'node:crypto'
import { type Config, isLoopback } from './config.ts'
import type { GuardSettings } from './control/guards.ts'

/** Who may use the control API, as the configuration wants it. */
export function accessOf(config: Config): GuardSettings {
  return { controlToken: controlTokenOf(config), allowedHosts: allowedHosts(config) }
}

/** A given token wins over open control; another host than loopback without either gets a random one. */
function controlTokenOf({ controlToken, openControl, host }: Config): string | null {
  if (controlToken !== undefined) return controlToken
  return isLoopback(host) || openControl ? null : randomBytes(18).toString('base64url')
}

function allowedHosts({ allowedHosts: names, publicUrl }: Config): string[] {
  const own = publicUrl === undefined ? [] : [new URL(publicUrl).hostname]
  return [...names, ...own].map((name) => name.toLowerCase())
}
