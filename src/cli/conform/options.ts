import { existsSync } from 'node:fs'
import { allCases } from '../../conform/cases/all.ts'
import { configProblems } from '../../conform/config/config-schema.ts'
import type { CaseId, ConformConfig, Level } from '../../conform/index.ts'
import { chosen } from '../../conform/run/chosen-cases.ts'
import { didYouMean } from '../../domain/nearest.ts'
import { controlAccess } from '../control-access.ts'
import type { ControlAccess } from '../control-call.ts'
import { GiveUp } from '../give-up.ts'
import type { Environment } from '../terminal.ts'

/** What `conform` was asked for. */
export interface ConformFlags extends ControlAccess {
  /** null: the webhook URL is all there is. */
  readonly file: string | null
  /** Which emulator the command line names; null if it does not. */
  readonly givenUrl: string | null
  /** What runs the application beside an emulator of its own; null if both run already. */
  readonly command: readonly string[] | null
  /** Members of the configuration that the command line says otherwise. */
  readonly over: ConformConfig
  readonly only: readonly CaseId[] | undefined
  readonly level: Level | undefined
  readonly seed: string | undefined
  /** Percent of the cases; at least one case if undefined. */
  readonly requireSeen: number | undefined
  readonly json: boolean
  readonly junit: string | null
  readonly html: string | null
}

type Flags = Readonly<Record<string, unknown>>

/** The configuration that is read where none is named. */
export const usualFile = 'conform.yaml'

/** Reads the command line of `conform`.
 *  @param words the file that it names, if it does; and the command that follows `--`, if one does
 *  @throws GiveUp */
export function readConformFlags(
  { named, command }: { named: string | undefined; command: readonly string[] | null },
  flags: Flags,
  env: Environment,
): ConformFlags {
  if (flags.force === true) throw new GiveUp(2, 'error: `--force` works only with `--init`')
  if (command?.length === 0)
    throw new GiveUp(2, 'error: no command after `--`; give one, like `-- npm start`')
  if (command !== null && flags.url !== undefined)
    throw new GiveUp(2, 'error: with a command, `conform` starts its own emulator; leave out `--url`')
  const choice = choiceIn(flags)
  return {
    file: named ?? (flags.webhookUrl === undefined || existsSync(usualFile) ? usualFile : null),
    over: overIn(flags),
    ...choice,
    command,
    givenUrl: textIn(flags.url) ?? null,
    seed: textIn(flags.seed),
    requireSeen: percentIn(flags.requireSeen),
    json: flags.json === true,
    junit: textIn(flags.junit) ?? null,
    html: textIn(flags.html) ?? null,
    ...controlAccess(flags, env),
  }
}

/** Flags that stand for a member of the configuration of the same name. */
export const overriding = ['client', 'webhookUrl', 'settle', 'patience', 'polling'] as const

/** `webhookUrl` is `--webhook-url`. */
export const flagOf = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

function overIn(flags: Flags): ConformConfig {
  const over: ConformConfig = Object.fromEntries(
    overriding.filter((name) => flags[name] !== undefined).map((name) => [name, flags[name]]),
  )
  const [wrong] = configProblems(over)
  if (wrong !== undefined) throw new GiveUp(2, `error: ${flagOf(String(wrong.path[0]))}: ${wrong.message}`)
  return over
}

/** @throws GiveUp if that leaves nothing to run, which would pass for ever */
function choiceIn(flags: Flags): Pick<ConformFlags, 'only' | 'level'> {
  const level = flags.level === 'must' ? ('MUST' as const) : undefined
  const choice = { only: onlyIn(flags.only), level }
  try {
    chosen(choice)
  } catch (error) {
    if (error instanceof RangeError) throw new GiveUp(2, `error: ${error.message}`)
    throw error
  }
  return choice
}

function onlyIn(flag: unknown): CaseId[] | undefined {
  if (!Array.isArray(flag)) return undefined
  const ids = allCases.map(({ id }) => id)
  return flag.map(String).map((text) => {
    const id = ids.find((known) => known === text.trim().toUpperCase())
    if (id !== undefined) return id
    const hint = didYouMean(text.toUpperCase(), ids)
    throw new GiveUp(
      2,
      `error: --only: unknown case ${JSON.stringify(text)}; expected ${ids[0]} to ${ids.at(-1)}${hint}`,
    )
  })
}

function percentIn(flag: unknown): number | undefined {
  const text = textIn(flag)
  if (text === undefined) return undefined
  const percent = /^\d+(\.\d+)?%?$/.test(text) ? Number.parseFloat(text) : Number.NaN
  if (percent <= 100) return percent
  throw new GiveUp(
    2,
    `error: --require-seen: expected a percentage from 0 to 100, like 50, not ${JSON.stringify(text)}`,
  )
}

const textIn = (flag: unknown): string | undefined => (typeof flag === 'string' ? flag : undefined)
