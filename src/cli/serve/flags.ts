import type { ConfigInput } from '../../app/config.ts'

/** A flag of `serve`. Its environment variable follows from its name: EMULATOR_WEBHOOK_URL for `webhook-url`. */
export interface ServeFlag {
  /** The name of the flag, without dashes. */
  readonly name: string
  /** The placeholder of the value in help; a switch has none. */
  readonly argument?: string
  /** May be given several times; comma-separated in the variable. */
  readonly repeatable?: true
  /** The option that it sets in the configuration; other flags are read by the program. */
  readonly config?: keyof ConfigInput
  readonly help: string
  /** The default value of the flag, as a user would write it. */
  readonly fallback?: string
  /** The expected value, if the message of the configuration is not clear enough. */
  readonly expected?: string
  /** Whether messages must not repeat the value of the flag. */
  readonly secret?: true
}

/** The flags of `serve`, in the order of its help. */
export const serveFlags: readonly ServeFlag[] = [
  {
    name: 'port',
    argument: '<number>',
    config: 'port',
    help: 'port to listen on; 0 picks a free one',
    fallback: '4600',
    expected: 'expected a whole number from 0 to 65535; 0 picks a free port',
  },
  {
    name: 'host',
    argument: '<address>',
    config: 'host',
    help: 'address to listen on; with any other than a loopback address the control API requires a token',
    fallback: '127.0.0.1',
  },
  {
    name: 'database',
    argument: '<file>',
    config: 'database',
    help: 'database file, created if it does not exist',
    fallback: ':memory:',
  },
  { name: 'durable', config: 'durable', help: 'the database also survives a power failure (slower)' },
  {
    name: 'scenarios',
    argument: '<path>',
    repeatable: true,
    config: 'scenarios',
    help: 'scenario file or folder, in addition to the built-in scenarios; reloaded when it changes',
  },
  {
    name: 'fixtures',
    argument: '<fixture>',
    repeatable: true,
    config: 'fixtures',
    help: 'sample data to load at the start: a file, or the name of a built-in fixture (busy-merchant)',
  },
  { name: 'settings', argument: '<file>', help: 'YAML file with settings for all clients' },
  {
    name: 'clock',
    argument: '<mode>',
    config: 'clock',
    help: 'clock of new clients: real, manual (stopped until it is moved) or a speed like 60x',
    fallback: 'real',
  },
  {
    name: 'start-time',
    argument: '<moment>',
    config: 'startTime',
    help: 'time at which the clocks of new clients begin, like 2026-04-21T16:12:09Z',
  },
  {
    name: 'seed',
    argument: '<text>',
    config: 'seed',
    help: 'seed: the same seed gives the same ids (default: random)',
  },
  {
    name: 'client-id',
    argument: '<text>',
    config: 'clientId',
    help: 'clientId of the demo client',
    fallback: 'demo-client',
  },
  {
    name: 'api-secret',
    argument: '<text>',
    config: 'apiSecret',
    help: 'API secret of the demo client',
    fallback: 'demo-secret',
    secret: true,
  },
  {
    name: 'access-token',
    argument: '<text>',
    config: 'accessToken',
    help: 'access token of the demo client',
    fallback: 'demo-token',
    secret: true,
  },
  {
    name: 'webhook-secret',
    argument: '<text>',
    config: 'webhookSecret',
    help: 'webhook secret of the demo client: whsec_ and base64, or as webhook.signature reads it',
    secret: true,
  },
  {
    name: 'webhook-url',
    argument: '<url>',
    config: 'webhookUrl',
    help: 'URL where the demo client receives webhooks',
    secret: true,
  },
  {
    name: 'control-token',
    argument: '<text>',
    config: 'controlToken',
    help: 'token that the control API requires',
    secret: true,
  },
  {
    name: 'open-control',
    config: 'openControl',
    help: 'the control API requires no token, whatever --host is; --control-token overrides this',
  },
  {
    name: 'allowed-host',
    argument: '<name>',
    repeatable: true,
    config: 'allowedHosts',
    help: 'additional host name under which the control API may be reached, next to local names and IP addresses',
  },
  {
    name: 'webhook-allow',
    argument: '<range>',
    repeatable: true,
    config: 'webhookAllow',
    help: 'allow webhooks only to this host, IP address or range (10.0.0.0/8)',
  },
  {
    name: 'public-url',
    argument: '<url>',
    config: 'publicUrl',
    help: 'URL under which browsers reach the emulator',
  },
  {
    name: 'log',
    argument: '<format>',
    help: 'pretty (for people), json (one object per line) or silent (errors only)',
    fallback: 'pretty on a terminal, else json',
  },
]

/** The environment variable of a flag: EMULATOR_WEBHOOK_URL for `webhook-url`. */
export const variableOf = (name: string): string => `EMULATOR_${name.toUpperCase().replaceAll('-', '_')}`

/** The name of a flag in commander's values: `webhookUrl` for `webhook-url`. */
export const memberOf = (name: string): string =>
  name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
