import type { ConfigInput } from '../../config.ts'

/** One flag of `serve`. Its environment variable follows from its name: `webhook-url` is EMULATOR_WEBHOOK_URL. */
export interface ServeFlag {
  /** Without the dashes. */
  readonly name: string
  /** How help shows the value; a switch has none. */
  readonly argument?: string
  /** Given as often as one likes; comma-separated in the variable. */
  readonly repeatable?: true
  /** The member of the configuration it sets; the others are read here in the program. */
  readonly config?: keyof ConfigInput
  readonly help: string
  /** What holds without it, as a user would write it. */
  readonly fallback?: string
  /** What it takes, where the configuration's own words are not plain enough. */
  readonly expected?: string
  /** Its value is never repeated in a message. */
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
    help: 'address to listen on; beyond this machine the control API asks for a token',
    fallback: '127.0.0.1',
  },
  {
    name: 'database',
    argument: '<file>',
    config: 'database',
    help: 'file to keep everything in, made if it does not exist',
    fallback: ':memory:',
  },
  { name: 'durable', config: 'durable', help: 'the database survives a power failure too; slower' },
  {
    name: 'scenarios',
    argument: '<path>',
    repeatable: true,
    config: 'scenarios',
    help: 'scenario file, or folder of such files, beside the built-in ones; followed while it runs',
  },
  {
    name: 'fixtures',
    argument: '<fixture>',
    repeatable: true,
    config: 'fixtures',
    help: 'world to begin with: a file, or the name of one that ships (busy-merchant)',
  },
  { name: 'settings', argument: '<file>', help: 'YAML file with settings for all clients' },
  {
    name: 'clock',
    argument: '<mode>',
    config: 'clock',
    help: 'of new clients: real, manual (stands until it is moved) or a speed like 60x',
    fallback: 'real',
  },
  {
    name: 'start-time',
    argument: '<moment>',
    config: 'startTime',
    help: 'where the clocks of new clients begin, e.g. 2026-04-21T16:12:09Z',
  },
  { name: 'seed', argument: '<text>', config: 'seed', help: 'same seed, same ids; random if left out' },
  {
    name: 'client-id',
    argument: '<text>',
    config: 'clientId',
    help: 'of the demo client',
    fallback: 'demo-client',
  },
  {
    name: 'api-secret',
    argument: '<text>',
    config: 'apiSecret',
    help: 'of the demo client',
    fallback: 'demo-secret',
    secret: true,
  },
  {
    name: 'access-token',
    argument: '<text>',
    config: 'accessToken',
    help: 'of the demo client',
    fallback: 'demo-token',
    secret: true,
  },
  {
    name: 'webhook-secret',
    argument: '<text>',
    config: 'webhookSecret',
    help: 'of the demo client: whsec_ and base64',
    secret: true,
  },
  {
    name: 'webhook-url',
    argument: '<url>',
    config: 'webhookUrl',
    help: 'where the demo client receives webhooks',
    secret: true,
  },
  {
    name: 'control-token',
    argument: '<text>',
    config: 'controlToken',
    help: 'the control API asks for it',
    secret: true,
  },
  { name: 'open-control', config: 'openControl', help: 'the control API asks for no token on any --host' },
  {
    name: 'allowed-host',
    argument: '<name>',
    repeatable: true,
    config: 'allowedHosts',
    help: 'name under which the control API may be reached, beside local names and IP addresses',
  },
  {
    name: 'webhook-allow',
    argument: '<range>',
    repeatable: true,
    config: 'webhookAllow',
    help: 'host, IP address or range (10.0.0.0/8): webhooks go nowhere else',
  },
  {
    name: 'public-url',
    argument: '<url>',
    config: 'publicUrl',
    help: 'under which browsers reach the emulator',
  },
  {
    name: 'log',
    argument: '<format>',
    help: 'pretty (for people), json (one object per line) or silent (errors only)',
    fallback: 'pretty on a terminal, else json',
  },
]

/** `webhook-url` is EMULATOR_WEBHOOK_URL. */
export const variableOf = (name: string): string => `EMULATOR_${name.toUpperCase().replaceAll('-', '_')}`

/** `webhook-url` is `webhookUrl` among commander's values. */
export const memberOf = (name: string): string =>
  name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
