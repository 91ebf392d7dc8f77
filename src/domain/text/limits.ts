/** The maximum size of a YAML or JSON text. */
export interface TextLimit {
  readonly bytes: number
  /** The maximum number of tokens: words, marks and line ends of YAML, or values of JSON. */
  readonly tokens: number
  /** The advice for texts that are too large. */
  readonly advice: string
}

/** The maximum size of a fixture. */
export interface FixtureLimit extends TextLimit {
  /** The maximum number of clients, settings, tokens, orders, and past steps, charges and attempts, all together. */
  readonly parts: number
}

const mebibyte = 1024 * 1024

/** Limits of request bodies: all other requests wait while a body is read and loaded. */
export const sentText: FixtureLimit = {
  bytes: mebibyte,
  tokens: 20_000,
  parts: 3_000,
  advice: 'send less; files that the emulator loads at its start may be larger (--scenarios, --fixtures)',
}

/** Limits of files. A large file takes some seconds to read. */
export const fileText: FixtureLimit = {
  bytes: 16 * mebibyte,
  tokens: 3_000_000,
  parts: 100_000,
  advice: 'split it',
}

/** Builds the message for a text with too many bytes. */
export const tooLarge = ({ bytes, advice }: TextLimit): string =>
  `is larger than ${bytes / mebibyte} MiB; ${advice}`
