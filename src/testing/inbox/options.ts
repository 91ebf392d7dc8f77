import { inspect } from 'node:util'
import { InboxNotOpened, strayOption } from '../errors.ts'
import type { WantedSignature } from './selection.ts'

/** Options of a wait for webhooks. */
export interface InboxWait {
  /** Milliseconds of wall-clock time; 0 checks once. Default: 4,000, a second less than vitest and Jest give a test. */
  readonly timeoutMs?: number | undefined
  /** Which signatures match: `ok`, `wrong` or `any`. Default: `ok`. */
  readonly signature?: WantedSignature | undefined
}

export const usualWaitMs = 4_000

/** Rejects invalid options of a wait, so that a test does not wait for the wrong thing.
 *  @throws TypeError for an unknown option, RangeError for a wrong value */
export function checkWait(wait: object): void {
  const stray = strayOption(wait, ['timeoutMs', 'signature', 'count'])
  if (stray !== null) throw new TypeError(`Waiting for a webhook: ${stray}`)
  const { timeoutMs, signature, count }: Readonly<Record<string, unknown>> = { ...wait }
  if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && timeoutMs >= 0))
    throw new RangeError(`timeoutMs: expected milliseconds, 0 or more, not ${inspect(timeoutMs)}`)
  if (signature !== undefined && signature !== 'ok' && signature !== 'wrong' && signature !== 'any')
    throw new RangeError(`signature: expected 'ok', 'wrong' or 'any', not ${inspect(signature)}`)
  if (count !== undefined && !(typeof count === 'number' && Number.isInteger(count) && count >= 0))
    throw new RangeError(`count: expected a number of webhooks, not ${inspect(count)}`)
}

/** Options of `webhookInbox`. Without a port, only `path` and `acceptUnverified` have an effect. */
export interface InboxOptions {
  /** The name under which the emulator reaches this process: `host.docker.internal` for an emulator in a container on
   *  this machine, the name of this container for one in another container. With any name that is not loopback, the
   *  inbox listens on all interfaces. Default: `127.0.0.1`. */
  readonly host?: string | undefined
  /** The port that the inbox listens on. Default: a free port. */
  readonly port?: number | undefined
  /** The path of the URL, with an optional query. Every POST to the port is accepted. Default: `/webhooks`. */
  readonly path?: string | undefined
  /** `true` answers a webhook with a wrong signature like any other, instead of with 401. Default: `false`. */
  readonly acceptUnverified?: boolean | undefined
}

const names: readonly (keyof InboxOptions)[] = ['host', 'port', 'path', 'acceptUnverified']

/** Rejects unknown and invalid options of an inbox.
 *  @throws InboxNotOpened */
export function checkInboxOptions(options: InboxOptions): void {
  const { host, port, path }: Readonly<Record<string, unknown>> = { ...options }
  const stray = strayOption(options, names)
  if (stray !== null) refuse(stray)
  if (host !== undefined && !isHost(host))
    refuse(`host: expected a name or an IP address, like host.docker.internal, not ${inspect(host)}`)
  if (port !== undefined && !isPort(port)) refuse(`port: expected 0 to 65535, not ${inspect(port)}`)
  if (path !== undefined && typeof path !== 'string') refuse(`path: expected a string, not ${inspect(path)}`)
}

function refuse(why: string): never {
  throw new InboxNotOpened(`webhookInbox: ${why}`)
}

/** Formats a host for a URL: an IPv6 address has brackets. */
export const inUrl = (host: string): string => (/^[^[].*:/.test(host) ? `[${host}]` : host)

function isHost(host: unknown): boolean {
  const url = typeof host === 'string' ? URL.parse(`http://${inUrl(host)}:1/`) : null
  return url !== null && url.href === `http://${url.hostname}:1/`
}

const isPort = (port: unknown): boolean =>
  typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= 65_535
