/** How large a text of YAML or JSON may be. */
export interface TextLimit {
  readonly bytes: number
  /** Words, marks and line ends of YAML; values of JSON. */
  readonly tokens: number
  /** What to do about a text that is larger. */
  readonly advice: string
}

/** How much a fixture may hold. */
export interface FixtureLimit extends TextLimit {
  /** Clients, settings, tokens, orders, and the steps, charges and attempts that those have behind them, all together. */
  readonly parts: number
}

const mebibyte = 1024 * 1024

/** Limits of what comes in a request: all other requests wait while it is read and loaded. */
export const sentText: FixtureLimit = {
  bytes: mebibyte,
  tokens: 20_000,
  parts: 3_000,
  advice: 'send less; files that the emulator loads at its start may be larger (--scenarios, --fixtures)',
}

/** Limits of a file. Reading a large one takes some seconds. */
export const fileText: FixtureLimit = {
  bytes: 16 * mebibyte,
  tokens: 3_000_000,
  parts: 100_000,
  advice: 'split it',
}

/** Says that a text has more bytes than the limit. */
export const tooLarge = ({ bytes, advice }: TextLimit): string =>
  `is larger than ${bytes / mebibyte} MiB; ${advice}`
