import { constants } from 'node:os'
import {
  type ApplicationProcess,
  type ConformConfig,
  type ConformReport,
  conform,
  htmlReport,
  junitReport,
  Progress,
  terminalReport,
} from '../../conform/index.ts'
import { ControlCallRefused, connectEmulator, EmulatorUnreachable, type TestEmulator } from '../../index.ts'
import { wallNow } from '../../time/wall.ts'
import { CliError } from '../cli-error.ts'
import type { ControlAccess } from '../emulator-url.ts'
import { makeWritable, writeResult } from '../output-files.ts'
import { programCall } from '../program-call.ts'
import { onLauncherEnd } from '../stop.ts'
import type { Terminal } from '../terminal.ts'
import { shownReport } from './hidden-values.ts'
import { writeInitialConfig } from './init.ts'
import {
  type ChosenConfig,
  ConfigRefused,
  type ConformFlags,
  chosenConfig,
  problemsText,
  readConformFlags,
  repeatCommand,
  usualFile,
} from './options.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** How long the restoring of the client may take after a signal. */
const lastMs = 4_000
/** Within this time a second signal counts as the same one, because the terminal and npm both send it. */
const sameSignalMs = 1_000

/** Thrown when a signal has stopped the run of `conform`. */
class Stopped extends Error {
  override readonly name = 'Stopped'
  /** The exit code: 128 plus the number of the signal, as in shells. */
  readonly exitCode: number

  constructor(signal: (typeof signals)[number]) {
    super(`stopped by ${signal}`)
    this.exitCode = 128 + constants.signals[signal]
  }
}

/** Waits for a run. A signal aborts it, and the run restores the client. A later signal ends the program at once.
 *  @throws Stopped, which is also the abort reason of the run */
async function untilStopped<T>(run: (signal: AbortSignal) => Promise<T>, terminal: Terminal): Promise<T> {
  const abortion = new AbortController()
  let firstAt: number | null = null
  const stop = (signal: (typeof signals)[number]) => {
    const stopped = new Stopped(signal)
    if (firstAt !== null) {
      if (performance.now() - firstAt > sameSignalMs) process.exit(stopped.exitCode)
      return
    }
    firstAt = performance.now()
    terminal.err('stopped; restoring the client')
    setTimeout(() => {
      terminal.err('stopped before the client was restored; the next run of `conform` will restore it')
      process.exit(stopped.exitCode)
    }, lastMs).unref()
    abortion.abort(stopped)
  }
  const listeners = signals.map((signal) => [signal, () => stop(signal)] as const)
  for (const [signal, listener] of listeners) process.on(signal, listener)
  const ignoreLauncher = onLauncherEnd(() => stop('SIGTERM'))
  try {
    return await run(abortion.signal)
  } finally {
    ignoreLauncher()
    for (const [signal, listener] of listeners) process.off(signal, listener)
  }
}

/** Builds the report of a run whose configuration file is wrong: all problems with their places. */
const refusedReport = (
  { problems }: ConfigRefused,
  { seed = '', url, over }: ConformFlags,
): ConformReport => ({
  ok: false,
  sawTooLittle: false,
  seed,
  emulator: url,
  clientId: over.client ?? 'demo-client',
  startedAt: wallNow(),
  ms: 0,
  counts: { PASS: 0, FAIL: 0, WARN: 0, 'NOT-SEEN': 0 },
  problems: problems.map(({ file, line, column, message }) => ({
    member: `${file}:${line}:${column}`,
    message,
  })),
  cases: [],
})

/** Runs `conform`. Exit code 1: a MUST case failed. 3: too few cases were observable.
 *  @param named the configuration file of the command line, if given
 *  @param command the command that runs the application; null if the application already runs
 *  @throws CliError */
export async function conformTo(
  named: string | undefined,
  command: readonly string[] | null,
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<number> {
  if (flags.init === true) return writeInitialConfig(named ?? usualFile, flags.force === true, terminal)
  const options = readConformFlags({ named, command }, flags, terminal.env)
  for (const file of [options.junit, options.html]) if (file !== null) makeWritable(file)
  const chosen = readOrReported(options, terminal)
  try {
    const { report: whole, obituary } = await untilStopped(async (signal) => {
      const test = (access: ControlAccess, application?: ApplicationProcess) =>
        tested(access, chosen.config, options, { terminal, signal, application })
      if (command === null) return { report: await test(options), obituary: null }
      const { beside } = await import('./beside.ts')
      const { result, ...rest } = await beside(command, chosen.config, { terminal, signal }, test)
      return { report: result, ...rest }
    }, terminal)
    const report = shownReport(whole, chosen.hidden)
    terminal.out(options.json ? JSON.stringify(report) : reportText(report, chosen, terminal))
    if (obituary !== null) terminal.err(`error: ${chosen.hidden.in(obituary)}`)
    writeFiles(report, options)
    return exitCodeOf(report, obituary !== null)
  } catch (error) {
    if (error instanceof Stopped) return error.exitCode
    throw error
  }
}

/** Reads the configuration; if it is wrong, writes its problems in every requested report format.
 *  @throws CliError */
function readOrReported(options: ConformFlags, terminal: Terminal): ChosenConfig {
  try {
    return chosenConfig(options, terminal)
  } catch (error) {
    if (error instanceof ConfigRefused) {
      const report = refusedReport(error, options)
      writeFiles(report, options)
      if (options.json) terminal.out(JSON.stringify(report))
    }
    throw error
  }
}

/** @throws CliError */
function writeFiles(report: ConformReport, { junit, html }: ConformFlags): void {
  if (junit !== null) writeResult(junit, junitReport(report))
  if (html !== null) writeResult(html, htmlReport(report))
}

interface TestPlace {
  readonly terminal: Terminal
  readonly signal: AbortSignal
  /** The application, if this program has started it. */
  readonly application: ApplicationProcess | undefined
}

/** @throws CliError, Stopped */
async function tested(
  access: ControlAccess,
  config: ConformConfig,
  options: ConformFlags,
  { terminal, signal, application }: TestPlace,
): Promise<ConformReport> {
  const { only, level, seed, requireSeen } = options
  const write = (text: string) => terminal.overwrite(text)
  // Progress is for people; a CI log only needs the result.
  const progress = terminal.interactive
    ? new Progress({ ...styleOf(terminal), interactive: true, write })
    : null
  const emulator = await connected(access)
  try {
    return await conform(emulator, config, {
      ...{ only, level, seed, requireSeen, signal },
      process: application,
      onCase: progress?.onCase,
      onResult: progress?.onResult,
      emulatorEnds: options.command !== null,
      repeatWith: (id, usedSeed, shownBy) => {
        const ids = shownBy === undefined ? [id] : [id, shownBy]
        return repeatCommand(programCall(terminal.env), ids, usedSeed, options)
      },
    })
  } catch (error) {
    throw inWords(error, access)
  } finally {
    progress?.end()
    await emulator.close()
  }
}

const styleOf = ({ colours, columns }: Terminal) => ({ colours, columns })

/** Formats the report; problems of the configuration file with their places. */
const reportText = (report: ConformReport, { written }: ChosenConfig, terminal: Terminal): string =>
  report.problems.length > 0 && report.cases.length === 0
    ? problemsText(report.problems, written, terminal)
    : terminalReport(report, styleOf(terminal))

/** @throws CliError */
async function connected({ url, controlToken }: ControlAccess): Promise<TestEmulator> {
  try {
    return await connectEmulator(url, { controlToken: controlToken ?? undefined })
  } catch (error) {
    throw inWords(error, { url })
  }
}

function inWords(error: unknown, { url }: Pick<ControlAccess, 'url'>): unknown {
  if (error instanceof EmulatorUnreachable)
    return new CliError(
      1,
      `error: ${error.message} Start one with \`npx payment-order-emulator\`, or pass \`--url\``,
    )
  if (error instanceof ControlCallRefused && error.status === 401)
    return new CliError(
      2,
      `error: the emulator at ${url} requires a control token; pass it with \`--control-token\``,
    )
  if (error instanceof ControlCallRefused && error.code === null)
    return new CliError(1, `error: ${error.message}`)
  return error
}

/** The exit code of a run. A failed case counts even if the configuration is wrong for other cases, or too few were
 *  observable.
 *  @param ended whether the application ended before the run */
export function exitCodeOf({ problems, counts, sawTooLittle }: ConformReport, ended: boolean): number {
  if (counts.FAIL > 0) return 1
  if (problems.length > 0) return 2
  if (ended) return 1
  return sawTooLittle ? 3 : 0
}
