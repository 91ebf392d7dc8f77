import { isUrl } from '../domain/is-url.ts'
import { hasPortZero, refusedUrl } from '../domain/refused-url.ts'
import { GiveUp } from './give-up.ts'
import type { Environment } from './terminal.ts'

/** Where a running emulator is: `--url`, else EMULATOR_URL, else where one started in this environment listens.
 *  @returns an origin or a URL with a path, without the slash at its end
 *  @throws GiveUp */
export function emulatorUrl(flag: unknown, env: Environment): string {
  const [source, text] =
    typeof flag === 'string'
      ? ['--url', flag]
      : env.EMULATOR_URL
        ? ['EMULATOR_URL', env.EMULATOR_URL]
        : [env.EMULATOR_PORT ? 'EMULATOR_PORT' : 'EMULATOR_HOST', localUrl(env)]
  if (!/^https?:\/\/[^/]/i.test(text) || !isUrl(text) || hasPortZero(text))
    throw new GiveUp(2, `error: ${source}: expected a URL like http://127.0.0.1:4600${refusedUrl(text)}`)
  const url = text.replace(/\/+$/, '')
  if (url.endsWith('/_emulator'))
    throw new GiveUp(2, `error: ${source}: leave out /_emulator: ${url.replace(/\/_emulator$/, '')}`)
  return url
}

/** In a cluster a service that is called "emulator" gives every container an EMULATOR_PORT of this form. */
export const isServiceLink = (text: string): boolean => /^(tcp|udp|sctp):\/\//i.test(text)

function localUrl({ EMULATOR_HOST: host = '', EMULATOR_PORT: port = '' }: Environment): string {
  return urlAt(host, port === '' || isServiceLink(port) ? 4600 : port)
}

/** Where what listens on a host and a port is reached from this machine. */
export function urlAt(host: string, port: number | string): string {
  const name = ['', '0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
