import {
  type ApplicationProcess,
  type ConformReport,
  htmlReport,
  junitReport,
  markdownReport,
  terminalReport,
} from '../../conform/index.ts'
import { wallNow } from '../../time/wall.ts'
import { CliError } from '../cli-error.ts'
import type { ControlAccess } from '../emulator-url.ts'
import { appendSummary, makeWritable, writeResult } from '../output-files.ts'
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
  usualFile,
} from './options.ts'
import { styleOf, type TestPlace, tested } from './test-run.ts'
import { Stopped, untilStopped } from './until-stopped.ts'

/** Builds the report of a run whose configuration file is wrong: all problems with their places. */
const refusedReport = (
  { reported: problems }: ConfigRefused,
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
  problems,
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
  for (const file of [options.junit, options.html, options.summary]) if (file !== null) makeWritable(file)
  const { prove, stories } = options
  const ofStories = stories === null ? null : await import('./stories.ts')
  const refuse = ofStories?.writeRefusedStories ?? writeRefused
  const orRefuse = <T>(read: () => T): T => refusing(read, (error) => refuse(error, options, terminal))
  const chosen = orRefuse(() => chosenConfig(options, terminal))
  const files = orRefuse(() => ofStories?.readStories(stories?.paths ?? [], terminal) ?? [])
  try {
    if (ofStories !== null) {
      const run = await ran(options, chosen, terminal, (access, place) =>
        ofStories.playedStories(access, chosen.config, files, options, place),
      )
      return ofStories.writeStories(run, chosen, options, terminal)
    }
    return prove === null
      ? await oneRun(chosen, options, terminal)
      : await twoRuns(prove, chosen, options, terminal)
  } catch (error) {
    if (error instanceof Stopped) return error.exitCode
    // The application's own output is part of some errors.
    if (error instanceof CliError) throw new CliError(error.exitCode, chosen.hidden.in(error.message))
    throw error
  }
}

/** Reads files, and reports their problems before it throws them. */
function refusing<T>(read: () => T, onRefused: (error: ConfigRefused) => void): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof ConfigRefused) onRefused(error)
    throw error
  }
}

/** Tests the application: one that already runs, or one that is started beside its own emulator.
 *  @returns the report, and why the application ended if it ended early
 *  @throws CliError, Stopped */
function ran<Report>(
  options: ConformFlags,
  { config }: ChosenConfig,
  terminal: Terminal,
  test: (access: ControlAccess, place: TestPlace) => Promise<Report>,
): Promise<{ report: Report; obituary: string | null }> {
  return untilStopped(async (signal) => {
    const use = (at: ControlAccess, application?: ApplicationProcess) =>
      test(at, { terminal, signal, application })
    const { command } = options
    if (command === null) return { report: await use(options), obituary: null }
    const { beside } = await import('./beside.ts')
    const at = { name: options.name, terminal, signal }
    const { result, ...rest } = await beside(command, config, at, use)
    return { report: result, ...rest }
  }, terminal)
}

/** Runs the test cases once.
 *  @throws CliError, Stopped */
async function oneRun(chosen: ChosenConfig, options: ConformFlags, terminal: Terminal): Promise<number> {
  const { report: whole, obituary } = await ran(options, chosen, terminal, (access, place) =>
    tested(access, chosen.config, options, place),
  )
  const report = shownReport(whole, chosen.hidden)
  terminal.out(options.json ? JSON.stringify(report) : reportText(report, chosen, terminal))
  if (obituary !== null) terminal.err(`error: ${chosen.hidden.in(obituary)}`)
  writeFiles(report, options, terminal)
  return exitCodeOf(report, obituary !== null)
}

/** Runs the test cases at an earlier commit and now. JUnit XML and HTML show the present run.
 *  @throws CliError, Stopped */
async function twoRuns(
  prove: NonNullable<ConformFlags['prove']>,
  chosen: ChosenConfig,
  options: ConformFlags,
  terminal: Terminal,
): Promise<number> {
  const { proved, writeProof } = await import('./prove.ts')
  const proof = await untilStopped((signal) => proved(prove, chosen, options, { terminal, signal }), terminal)
  writeReports(proof.now, options)
  return writeProof(proof, options, terminal)
}

/** Writes the problems of a configuration in every requested report format.
 *  @throws CliError */
function writeRefused(error: ConfigRefused, options: ConformFlags, terminal: Terminal): void {
  const report = refusedReport(error, options)
  writeFiles(report, options, terminal)
  if (options.json) terminal.out(JSON.stringify(report))
}

/** @throws CliError */
function writeFiles(report: ConformReport, options: ConformFlags, { env }: Terminal): void {
  writeReports(report, options)
  appendSummary(options.summary, markdownReport(report), env)
}

/** @throws CliError */
function writeReports(report: ConformReport, { junit, html }: ConformFlags): void {
  if (junit !== null) writeResult(junit, junitReport(report))
  if (html !== null) writeResult(html, htmlReport(report))
}

/** Formats the report; problems of the configuration file with their places. */
const reportText = (report: ConformReport, { written }: ChosenConfig, terminal: Terminal): string =>
  report.problems.length > 0 && report.cases.length === 0
    ? problemsText(report.problems, written, terminal)
    : terminalReport(report, styleOf(terminal))

/** The exit code of a run. A failed case counts even if the configuration is wrong for other cases, or too few were
 *  observable.
 *  @param ended whether the application ended before the run */
export function exitCodeOf({ problems, counts, sawTooLittle }: ConformReport, ended: boolean): number {
  if (counts.FAIL > 0) return 1
  if (problems.length > 0) return 2
  if (ended) return 1
  return sawTooLittle ? 3 : 0
}
