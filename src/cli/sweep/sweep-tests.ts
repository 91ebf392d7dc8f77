import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Behaviour } from '../../domain/sweep/behaviour.ts'
import { behaviours as allBehaviours, behaviours } from '../../domain/sweep/behaviours.ts'
import { parseDuration } from '../../domain/text/duration.ts'
import { didYouMean } from '../../domain/text/issue-words.ts'
import { htmlReport } from '../../sweep/html-report.tsx'
import { type BehaviourResult, countsOf, type SweepReport } from '../../sweep/report.ts'
import { type SuiteRun, type SweepProgress, SweepRefused, sweep } from '../../sweep/sweep.ts'
import { closingLines, junitReport, markdownReport, resultLines } from '../../sweep/text-reports.ts'
import { stopwatch, wallNow } from '../../time/wall.ts'
import { CliError } from '../cli-error.ts'
import { appendSummary, makeWritable, writeResult } from '../output-files.ts'
import { programCall, shellQuote } from '../program-call.ts'
import { memberOf, serveFlags } from '../serve/flags.ts'
import { onLauncherEnd } from '../stop.ts'
import type { Terminal } from '../terminal.ts'
import { suiteRunner } from './suite-runner.ts'

/** The flags of `sweep` that `serve` does not have. */
interface SweepFlags {
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

/** Reads the flags of `sweep`.
 *  @throws CliError */
function readSweepFlags(flags: Readonly<Record<string, unknown>>): SweepFlags {
  const only = list(flags.only).map((name) => named(name, '--only'))
  const quick = flags.quick === true
  if (quick && only.length > 0)
    throw new CliError(2, 'error: `--quick` and `--only` both choose behaviours; use only one of them')
  const keep = flags.keep === true
  if (keep && only.length !== 1)
    throw new CliError(2, 'error: `--keep` needs one behaviour, like `--only webhook-twice --keep`')
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
  throw new CliError(
    2,
    `error: ${flag}: unknown behaviour ${JSON.stringify(name)}${didYouMean(name, names)}; \`sweep --list\` lists them`,
  )
}

function skipOf(written: string): [name: string, reason: string] {
  const [, name = '', reason = ''] = /^([^=]*)=?([\s\S]*)$/.exec(written) ?? []
  const { name: known } = named(name, '--skip')
  if (reason.trim() === '')
    throw new CliError(
      2,
      `error: --skip: a reason is required, like \`--skip ${known}="nobody sends this twice"\``,
    )
  return [known, reason.trim()]
}

function jobsIn(value: unknown): number {
  if (value === undefined) return 1
  const jobs = Number(value)
  if (Number.isInteger(jobs) && jobs >= 1 && jobs <= mostJobs) return jobs
  throw new CliError(
    2,
    `error: --jobs: expected a number from 1 to ${mostJobs}, not ${JSON.stringify(value)}`,
  )
}

function timeoutIn(value: unknown): number | null {
  if (value === undefined) return null
  const ms = typeof value === 'string' ? parseDuration(value) : null
  if (ms !== null && ms > 0) return ms
  throw new CliError(2, `error: --timeout: expected a duration like 90s or 10m, not ${JSON.stringify(value)}`)
}

/** Runs `sweep`: runs the test command under each legal behaviour of the provider. Exit code 1 if a behaviour broke
 *  the tests.
 *  @throws CliError */
export async function sweepTests(
  command: readonly string[],
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<number> {
  if (flags.list === true) return listed(terminal)
  const options = readSweepFlags(flags)
  refuse(command, flags)
  for (const file of [options.junit, options.html, options.summary]) if (file !== null) makeWritable(file)
  const folder = mkdtempSync(join(tmpdir(), 'emulator-sweep-'))
  try {
    return options.keep
      ? await lookedAt(command, flags, options, { terminal, folder })
      : await swept(command, flags, options, { terminal, folder })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function refuse(command: readonly string[], flags: Readonly<Record<string, unknown>>): void {
  if (command.length === 0)
    throw new CliError(
      2,
      'error: `sweep` needs the command that runs your tests after `--`, like `sweep -- npm test`',
    )
  for (const name of ['port', 'database'] as const) {
    if (flags[name] !== undefined)
      throw new CliError(
        2,
        `error: \`--${name}\` does not work with \`sweep\`: each run has its own emulator, in memory and on a free port`,
      )
  }
}

function listed(terminal: Terminal): number {
  for (const { name, does, ground, quick } of allBehaviours)
    terminal.out(`${name.padEnd(25)}${does}${quick ? ' (quick)' : ''}\n${' '.repeat(25)}legal: ${ground}`)
  return 0
}

interface Place {
  readonly terminal: Terminal
  /** The folder in which the runs write their files. */
  readonly folder: string
}

async function swept(
  command: readonly string[],
  flags: Readonly<Record<string, unknown>>,
  options: SweepFlags,
  { terminal, folder }: Place,
): Promise<number> {
  const seed = seedOf(flags, terminal)
  const watch = stopwatch()
  const startedAt = new Date(wallNow()).toISOString()
  const aside = (text: string) => (options.json ? terminal.err(text) : terminal.out(text))
  const progress = new Progress(terminal)
  const results: BehaviourResult[] = []
  let baseline: SuiteRun | undefined
  const stopped = Promise.withResolvers<never>()
  stopped.promise.catch(() => {})
  const underWay = new Set<Promise<SuiteRun>>()
  let isStopped = false
  const stop = onStop((exitCode) => {
    isStopped = true
    stopped.reject(new Interrupted(exitCode))
  })
  let exitCode: number | null = null
  try {
    const runOnce = suiteRunner({ command, flags, seed, report: options.report, folder, terminal })
    const run = sweep({
      ...options,
      runSuite: async (...asked) => {
        if (isStopped) return stopped.promise
        const suite = runOnce(...asked)
        underWay.add(suite)
        const ended = await suite.finally(() => underWay.delete(suite))
        // A run that a signal ended says nothing about the tests.
        return isStopped ? stopped.promise : ended
      },
      again: (name) => againOf(name, command, { ...flags, seed }, options, terminal),
      onProgress: (step) => {
        if (step.step === 'planned') {
          baseline = step.baseline
          progress.end()
          aside(baselineLine(step, options.behaviours))
        } else progress.show(step)
      },
      onResult: (result) => {
        results.push(result)
        progress.end()
        aside(resultLines(result, terminal.colours && !options.json))
      },
    })
    await Promise.race([run, stopped.promise])
  } catch (error) {
    if (error instanceof SweepRefused) throw new CliError(2, `error: ${error.message}`)
    if (!(error instanceof Interrupted)) throw error
    await Promise.allSettled(underWay)
    exitCode = error.exitCode
    if (baseline === undefined) return exitCode
  } finally {
    stop()
    progress.end()
  }
  const inOrder = options.behaviours.flatMap(
    ({ name }) => results.find((result) => result.name === name) ?? [],
  )
  const report: SweepReport = {
    version: 1,
    startedAt,
    ms: Math.round(stopwatch() - watch),
    command,
    seed,
    baseline: { tests: baseline?.tests ?? null, ms: Math.round(baseline?.ms ?? 0) },
    results: inOrder,
    counts: countsOf(inOrder),
    interrupted: exitCode !== null,
  }
  written(report, options, terminal)
  return exitCode ?? (report.counts.BROKE > 0 ? 1 : 0)
}

function written(report: SweepReport, options: SweepFlags, terminal: Terminal): void {
  terminal.out(options.json ? JSON.stringify(report) : closingLines(report))
  if (options.junit !== null) writeResult(options.junit, junitReport(report))
  if (options.html !== null) writeResult(options.html, htmlReport(report))
  appendSummary(options.summary, markdownReport(report), terminal.env)
}

/** Runs the tests once under one behaviour, and keeps the emulator open until stopped. */
async function lookedAt(
  command: readonly string[],
  flags: Readonly<Record<string, unknown>>,
  { behaviours, report, timeoutMs }: SweepFlags,
  { terminal, folder }: Place,
): Promise<number> {
  const ended = Promise.withResolvers<void>()
  const stop = onStop(() => ended.resolve())
  const whileOpen = async ({ url }: { url: string }) => {
    terminal.out(`the tests have ended; inspect the emulator at ${url}/_emulator/, and stop it with Ctrl-C`)
    await ended.promise
  }
  try {
    const runSuite = suiteRunner({
      command,
      flags,
      seed: seedOf(flags, terminal),
      report,
      folder,
      terminal,
      whileOpen,
    })
    const { green, failed, tail } = await runSuite(behaviours, timeoutMs)
    if (!green)
      for (const line of failed.length > 0 ? failed.map(({ name, message }) => `${name}: ${message}`) : tail)
        terminal.out(line)
    return green ? 0 : 1
  } catch (error) {
    throw error instanceof SweepRefused ? new CliError(2, `error: ${error.message}`) : error
  } finally {
    stop()
  }
}

/** The seed of all runs, so that a failed run can be repeated with the same random values. */
const seedOf = (flags: Readonly<Record<string, unknown>>, { env }: Terminal): string =>
  typeof flags.seed === 'string' ? flags.seed : env.EMULATOR_SEED || randomBytes(4).toString('hex')

/** Builds the command that repeats one behaviour with the same emulator flags, without secrets: reports are shared. */
function againOf(
  name: string,
  command: readonly string[],
  flags: Readonly<Record<string, unknown>>,
  { report }: SweepFlags,
  { env }: Terminal,
): string {
  const given = serveFlags
    .filter((flag) => !/secret|token/.test(flag.name))
    .flatMap((flag) => {
      const value = flags[memberOf(flag.name)]
      if (value === undefined) return []
      if (value === true) return [`--${flag.name}`]
      return [value].flat().flatMap((each) => [`--${flag.name}`, String(each)])
    })
  const reported = report === null ? [] : ['--report', report]
  const words = ['sweep', '--only', name, '--keep', ...given, ...reported, '--', ...command]
  return [programCall(env), ...words.map(shellQuote)].join(' ')
}

function baselineLine(
  { baseline, runs, ms }: Extract<SweepProgress, { step: 'planned' }>,
  behaviours: readonly Behaviour[],
): string {
  const tests = baseline.tests === null ? '' : `${baseline.tests} tests, `
  return (
    `${'baseline'.padEnd(25)}${'green'.padEnd(10)}${tests}${seconds(baseline.ms)} (twice)\n` +
    `${counted(behaviours.length, 'behaviour')} in ${counted(runs, 'run')}, about ${seconds(ms)} if nothing breaks`
  )
}

const counted = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`

const seconds = (ms: number): string =>
  ms < 90_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`

/** The line that shows the progress of a sweep in a terminal. */
class Progress {
  readonly #terminal: Terminal

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  show(step: Exclude<SweepProgress, { step: 'planned' }>): void {
    if (step.step === 'one job') {
      this.end()
      this.#terminal.err(
        `warning: the tests fail when several runs are parallel, so \`sweep\` goes on with one job\n${step.why}`,
      )
      return
    }
    if (!this.#terminal.interactive) return
    const words =
      step.step === 'baseline'
        ? `running the tests unchanged, ${step.n} of 2`
        : step.step === 'baselines at once'
          ? `running the tests ${step.jobs} times in parallel`
          : `${step.done}/${step.of}  about ${seconds(step.leftMs)} left  ${step.behaviours.join(', ')}`
    const room = (this.#terminal.columns ?? 80) - 1
    this.#terminal.overwrite(`${beginLine}${words.length > room ? `${words.slice(0, room - 1)}…` : words}`)
  }

  end(): void {
    if (this.#terminal.interactive) this.#terminal.overwrite(beginLine)
  }
}

const beginLine = '\r\u001b[2K'

class Interrupted extends Error {
  readonly exitCode: number

  constructor(exitCode: number) {
    super('interrupted')
    this.exitCode = exitCode
  }
}

/** @param stop called with the exit code for a signal; the tests receive the signal themselves */
function onStop(stop: (exitCode: number) => void): () => void {
  const listeners = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map(
    (signal) => [signal, () => stop(128 + constants.signals[signal])] as const,
  )
  for (const [signal, listener] of listeners) process.on(signal, listener)
  const ignoreLauncher = onLauncherEnd(() => stop(143))
  return () => {
    ignoreLauncher()
    for (const [signal, listener] of listeners) process.off(signal, listener)
  }
}
