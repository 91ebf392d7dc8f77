import { inspect } from 'node:util'
import { InboxNotOpened } from '../errors.ts'
import { strayOption } from '../option-names.ts'

/** What a webhook inbox is opened with. Without a port, only `path` and `acceptUnverified` say anything. */
export interface InboxOptions {
  /** Under which the emulator reaches this process: `127.0.0.1` if left out; `host.docker.internal` for an emulator in
   *  a container on this machine, the name of this container for one in another. With any name that is not loopback
   *  the inbox listens on all interfaces of this machine, so that others in its network could reach it too. */
  readonly host?: string | undefined
  /** A free one if left out. */
  readonly port?: number | undefined
  /** Of the URL, with a query if wanted; `/webhooks` if left out. Whatever is POSTed to the port comes in. */
  readonly path?: string | undefined
  /** Answers what is not signed rightly as all else, instead of 401. */
  readonly acceptUnverified?: boolean | undefined
}

const names: readonly (keyof InboxOptions)[] = ['host', 'port', 'path', 'acceptUnverified']

/** Refuses options that are none, and those that could not be meant, of whatever form the emulator is.
 *  @throws InboxNotOpened */
export function checkInboxOptions(options: InboxOptions): void {
  const { host, port, path }: Readonly<Record<string, unknown>> = { ...options }
  const stray = strayOption(options, names)
  if (stray !== null) refuse(stray)
  if (host !== undefined && !isHost(host))
    refuse(`host: expected a name or an IP address, like host.docker.internal, not ${inspect(host)}`)
  if (port !== undefined && !isPort(port)) refuse(`port: expected 0 to 65535, not ${inspect(port)}`)
  if (path !== undefined && typeof path !== 'string') refuse(`path: expected a text, not ${inspect(path)}`)
}

function refuse(why: string): never {
  throw new InboxNotOpened(`webhookInbox: ${why}`)
}

/** A host as it stands in a URL: an IPv6 address has brackets there. */
export const inUrl = (host: string): string => (/^[^[].*:/.test(host) ? `[${host}]` : host)

function isHost(host: unknown): boolean {
  const url = typeof host === 'string' ? URL.parse(`http://${inUrl(host)}:1/`) : null
  return url !== null && url.href === `http://${url.hostname}:1/`
}

const isPort = (port: unknown): boolean =>
  typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= 65_535
