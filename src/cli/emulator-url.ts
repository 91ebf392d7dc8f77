import { hasPortZero, isUrl, refusedUrl } from '../domain/text/urls.ts'
import { CliError } from './cli-error.ts'
import type { Environment } from './terminal.ts'

/** The URL and control token of an emulator. */
export interface ControlAccess {
  readonly url: string
  readonly controlToken: string | null
}

/** Reads `--url` and `--control-token`, or their variables.
 *  @throws CliError */
export function controlAccess(flags: Readonly<Record<string, unknown>>, env: Environment): ControlAccess {
  const token = typeof flags.controlToken === 'string' ? flags.controlToken : env.EMULATOR_CONTROL_TOKEN
  return { url: emulatorUrl(flags.url, env), controlToken: token || null }
}

/** The URL of the running emulator: `--url`, else EMULATOR_URL, else the address of an emulator started in this
 *  environment.
 *  @returns an origin or a URL with a path, without a trailing slash
 *  @throws CliError */
export function emulatorUrl(flag: unknown, env: Environment): string {
  const [source, text] =
    typeof flag === 'string'
      ? ['--url', flag]
      : env.EMULATOR_URL
        ? ['EMULATOR_URL', env.EMULATOR_URL]
        : [env.EMULATOR_PORT ? 'EMULATOR_PORT' : 'EMULATOR_HOST', localUrl(env)]
  if (!/^https?:\/\/[^/]/i.test(text) || !isUrl(text) || hasPortZero(text))
    throw new CliError(2, `error: ${source}: expected a URL like http://127.0.0.1:4600${refusedUrl(text)}`)
  const url = text.replace(/\/+$/, '')
  if (url.endsWith('/_emulator'))
    throw new CliError(2, `error: ${source}: leave out /_emulator: ${url.replace(/\/_emulator$/, '')}`)
  return url
}

/** Whether a port variable was set by Kubernetes: a service named "emulator" gives every container an EMULATOR_PORT
 *  of this form. */
export const isServiceLink = (text: string): boolean => /^(tcp|udp|sctp):\/\//i.test(text)

function localUrl({ EMULATOR_HOST: host = '', EMULATOR_PORT: port = '' }: Environment): string {
  return urlAt(host, port === '' || isServiceLink(port) ? 4600 : port)
}

/** The URL of a host and port, as seen from this machine. */
export function urlAt(host: string, port: number | string): string {
  const name = ['', '0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
