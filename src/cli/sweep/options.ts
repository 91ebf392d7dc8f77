import { parseDuration } from '../../domain/duration.ts'
import { didYouMean } from '../../domain/nearest.ts'
import type { Behaviour } from '../../domain/sweep/behaviour.ts'
import { behaviours } from '../../domain/sweep/behaviours.ts'
import { GiveUp } from '../give-up.ts'

/** What `sweep` was asked for, beside the flags of `serve`. */
export interface SweepFlags {
  readonly behaviours: readonly Behaviour[]
  readonly skipped: ReadonlyMap<string, string>
  readonly report: string | null
  readonly jobs: number
  readonly timeoutMs: number | null
  readonly keep: boolean
  readonly json: boolean
  readonly junit: string | null
  readonly html: string | null
  readonly summary: string | null
}

const mostJobs = 64

/** Reads the flags. @throws GiveUp */
export function readSweepFlags(flags: Readonly<Record<string, unknown>>): SweepFlags {
  const only = list(flags.only).map((name) => named(name, '--only'))
  const quick = flags.quick === true
  if (quick && only.length > 0)
    throw new GiveUp(2, 'error: `--quick` and `--only` both choose behaviours; use only one of them')
  const keep = flags.keep === true
  if (keep && only.length !== 1)
    throw new GiveUp(2, 'error: `--keep` needs one behaviour, like `--only webhook-twice --keep`')
  const chosen = quick ? behaviours.filter((behaviour) => behaviour.quick) : behaviours
  return {
    behaviours: only.length === 0 ? chosen : behaviours.filter((behaviour) => only.includes(behaviour)),
    skipped: new Map(list(flags.skip).map(skipOf)),
    report: text(flags.report),
    jobs: jobsIn(flags.jobs),
    timeoutMs: timeoutIn(flags.timeout),
    keep,
    json: flags.json === true,
    junit: text(flags.junit),
    html: text(flags.html),
    summary: text(flags.summary),
  }
}

const list = (value: unknown): string[] =>
  Array.isArray(value) ? value.map((each) => String(each).trim()) : []

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)

function named(name: string, flag: string): Behaviour {
  const found = behaviours.find((behaviour) => behaviour.name === name)
  if (found !== undefined) return found
  const names = behaviours.map((behaviour) => behaviour.name)
  throw new GiveUp(
    2,
    `error: ${flag}: unknown behaviour ${JSON.stringify(name)}${didYouMean(name, names)}; \`sweep --list\` lists them`,
  )
}

function skipOf(written: string): [name: string, reason: string] {
  const [, name = '', reason = ''] = /^([^=]*)=?([\s\S]*)$/.exec(written) ?? []
  const { name: known } = named(name, '--skip')
  if (reason.trim() === '')
    throw new GiveUp(
      2,
      `error: --skip: a reason is required, like \`--skip ${known}="nobody sends this twice"\``,
    )
  return [known, reason.trim()]
}

function jobsIn(value: unknown): number {
  if (value === undefined) return 1
  const jobs = Number(value)
  if (Number.isInteger(jobs) && jobs >= 1 && jobs <= mostJobs) return jobs
  throw new GiveUp(2, `error: --jobs: expected a number from 1 to ${mostJobs}, not ${JSON.stringify(value)}`)
}

function timeoutIn(value: unknown): number | null {
  if (value === undefined) return null
  const ms = typeof value === 'string' ? parseDuration(value) : null
  if (ms !== null && ms > 0) return ms
  throw new GiveUp(2, `error: --timeout: expected a duration like 90s or 10m, not ${JSON.stringify(value)}`)
}
