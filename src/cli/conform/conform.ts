import { constants } from 'node:os'
import {
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
import type { ControlAccess } from '../control-call.ts'
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
/** Putting things back takes this long at most. */
const lastMs = 4_000
/** A terminal and npm both pass a signal on. */
const sameSignalMs = 1_000

/** Somebody has ended a run. */
class Stopped extends Error {
  override readonly name = 'Stopped'
  /** What a shell expects: 128 and the number of the signal. */
  readonly exitCode: number

  constructor(signal: (typeof signals)[number]) {
    super(`stopped by ${signal}`)
    this.exitCode = 128 + constants.signals[signal]
  }
}

/** Waits for a run, which a signal ends: it then has a moment to put back what it has changed. A later signal ends the
 *  program at once.
 *  @throws Stopped, as the reason of the signal that the run is given */
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
  const notTold = onLauncherEnd(() => stop('SIGTERM'))
  try {
    return await run(abortion.signal)
  } finally {
    notTold()
    for (const [signal, listener] of listeners) process.off(signal, listener)
  }
}

/** The report of a run that did not begin, since its file is wrong: each problem by its place. */
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

/** `conform`: tests an application, and ends with 1 if something failed that must not, with 3 if it saw too little.
 *  @param named the file that the command line names, if it does
 *  @param command what to run for the length of it; null if the application runs already
 *  @throws GiveUp */
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
      const test = (access: ControlAccess) => tested(access, chosen.config, options, { terminal, signal })
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

/** What is wrong with the file is told in every form that was asked for. @throws GiveUp */
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

/** @throws GiveUp */
function writeFiles(report: ConformReport, { junit, html }: ConformFlags): void {
  if (junit !== null) writeResult(junit, junitReport(report))
  if (html !== null) writeResult(html, htmlReport(report))
}

/** @throws GiveUp, Stopped */
async function tested(
  access: ControlAccess,
  config: ConformConfig,
  options: ConformFlags,
  { terminal, signal }: { terminal: Terminal; signal: AbortSignal },
): Promise<ConformReport> {
  const { only, level, seed, requireSeen } = options
  const write = (text: string) => terminal.overwrite(text)
  // A line that is written over is for people; the log of a CI job has the result.
  const progress = terminal.interactive
    ? new Progress({ ...styleOf(terminal), interactive: true, write })
    : null
  const emulator = await connected(access)
  try {
    return await conform(emulator, config, {
      ...{ only, level, seed, requireSeen, signal },
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

/** A configuration that was wrong from the start is told with its places in the file. */
const reportText = (report: ConformReport, { written }: ChosenConfig, terminal: Terminal): string =>
  report.problems.length > 0 && report.cases.length === 0
    ? problemsText(report.problems, written, terminal)
    : terminalReport(report, styleOf(terminal))

/** @throws GiveUp */
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

/** Exit code of a run. What failed has failed, even if the configuration turned out to be wrong for other cases, or if
 *  little could be seen.
 *  @param ended whether the application ended before the run did */
export function exitCodeOf({ problems, counts, sawTooLittle }: ConformReport, ended: boolean): number {
  if (counts.FAIL > 0) return 1
  if (problems.length > 0) return 2
  if (ended) return 1
  return sawTooLittle ? 3 : 0
}
