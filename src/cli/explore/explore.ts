import { randomUUID } from 'node:crypto'
import { explore } from '../../conform/explore/explore.ts'
import { htmlReport } from '../../conform/explore/report/html-report.tsx'
import { junitReport } from '../../conform/explore/report/junit-report.ts'
import { terminalReport } from '../../conform/explore/report/terminal-report.ts'
import type { ExploreReport } from '../../conform/explore/report.ts'
import type { Progress } from '../../conform/explore/search.ts'
import type { ApplicationProcess } from '../../conform/index.ts'
import { wallNow } from '../../time/wall.ts'
import { CliError } from '../cli-error.ts'
import { shownFound, shownSearch } from '../conform/hidden-values.ts'
import {
  type ChosenConfig,
  ConfigRefused,
  chosenConfig,
  conformCall,
  problemsText,
  usualFile,
} from '../conform/options.ts'
import { styleOf, withEmulator } from '../conform/test-run.ts'
import { Stopped, untilStopped } from '../conform/until-stopped.ts'
import type { ControlAccess } from '../emulator-url.ts'
import { makeWritable, writeResult } from '../output-files.ts'
import { programCall } from '../program-call.ts'
import type { Terminal } from '../terminal.ts'
import { expectFolder, FoundFiles, withFiles } from './found-files.ts'
import { LiveCounter } from './live-counter.ts'
import { type ExploreFlags, readExploreFlags } from './options.ts'

/** Runs `explore`. Exit code 1: a story was found, or the application ended the search.
 *  @param named the configuration file of the command line, if given
 *  @param command the command that runs the application; null if the application already runs
 *  @throws CliError */
export async function exploreTo(
  named: string | undefined,
  command: readonly string[] | null,
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<number> {
  const options = readExploreFlags({ named, command }, flags, terminal)
  for (const file of [options.junit, options.html]) if (file !== null) makeWritable(file)
  expectFolder(options.out)
  const chosen = readOrReported(options, terminal)
  try {
    return await searched(chosen, options, terminal)
  } catch (error) {
    if (error instanceof Stopped) return error.exitCode
    // The application's own output is part of some errors.
    if (error instanceof CliError) throw new CliError(error.exitCode, chosen.hidden.in(error.message))
    throw error
  }
}

/** How a search ended. */
interface Ended {
  readonly report: ExploreReport
  /** Why the application ended early, with its last output; null if it did not. */
  readonly obituary: string | null
  /** The signal that ended the search; null if none did. */
  readonly stopped: Stopped | null
}

/** Searches, and writes what was found.
 *  @throws CliError; Stopped before the search began */
async function searched(chosen: ChosenConfig, options: ExploreFlags, terminal: Terminal): Promise<number> {
  const ended = await untilStopped(
    (signal) => search(chosen, options, { terminal, signal }),
    terminal,
    'explore',
  )
  const { hidden, written } = chosen
  const { report, unwritten } = filed(shownSearch(ended.report, hidden), options, terminal)
  terminal.out(options.json ? JSON.stringify(report) : reportText(report, written, terminal))
  if (ended.obituary !== null) terminal.err(`error: ${hidden.in(ended.obituary)}`)
  if (unwritten !== null) terminal.err(unwritten.message)
  writeReports(report, options)
  return exitCodeOf(ended) || (unwritten?.exitCode ?? 0)
}

async function search(
  { config, hidden }: ChosenConfig,
  { command, search: options, out, ...access }: ExploreFlags,
  { terminal, signal }: { terminal: Terminal; signal: AbortSignal },
): Promise<Ended> {
  const { seed = randomUUID().slice(0, 8) } = options
  const files = new FoundFiles(out, seed, (found) => shownFound(found, hidden))
  const run = async (place: ControlAccess, process?: ApplicationProcess) => {
    const counter = terminal.interactive ? new LiveCounter(terminal, options.timeMs) : null
    const onProgress = (progress: Progress) => {
      files.keep(progress.found)
      counter?.onProgress(progress)
    }
    try {
      return await withEmulator(place, (emulator) =>
        explore(emulator, config, { ...options, seed, signal, process, onProgress }),
      )
    } catch (error) {
      throw files.with(error)
    } finally {
      counter?.end()
    }
  }
  const stopped = () => (signal.reason instanceof Stopped ? signal.reason : null)
  if (command === null) return { report: await run(access), obituary: null, stopped: stopped() }
  const { beside } = await import('../conform/beside.ts')
  const place = { name: access.name, terminal, signal }
  const { result, obituary } = await beside(command, config, place, run)
  return { report: result, obituary, stopped: stopped() }
}

/** Keeps the found stories as files. If that fails, the report still says what was found. */
function filed(
  report: ExploreReport,
  options: ExploreFlags,
  { env }: Terminal,
): { report: ExploreReport; unwritten: CliError | null } {
  const file = options.file === usualFile ? null : options.file
  const again = (story: string) => conformCall(programCall(env), ['--story', story], { ...options, file })
  try {
    return { report: withFiles(report, options.out, again), unwritten: null }
  } catch (error) {
    if (error instanceof CliError) return { report, unwritten: error }
    throw error
  }
}

/** Reads the configuration; if it is wrong, writes its problems in every requested report format.
 *  @throws CliError */
function readOrReported(options: ExploreFlags, terminal: Terminal): ChosenConfig {
  try {
    return chosenConfig(options, terminal)
  } catch (error) {
    if (error instanceof ConfigRefused) {
      const report = refusedReport(error, options)
      writeReports(report, options)
      if (options.json) terminal.out(JSON.stringify(report))
    }
    throw error
  }
}

/** Builds the report of a search whose configuration file is wrong: all problems with their places. */
const refusedReport = (
  { reported: problems }: ConfigRefused,
  { search: { seed = '' }, url, over }: ExploreFlags,
): ExploreReport => ({
  ok: false,
  seed,
  emulator: url,
  clientId: over.client ?? 'demo-client',
  startedAt: wallNow(),
  ms: 0,
  stories: 0,
  pairsLeft: 0,
  unrepeated: 0,
  problems,
  leftOut: [],
  stopped: null,
  found: [],
})

/** @throws CliError */
function writeReports(report: ExploreReport, { junit, html }: ExploreFlags): void {
  if (junit !== null) writeResult(junit, junitReport(report))
  if (html !== null) writeResult(html, htmlReport(report))
}

/** Formats the report; problems of the configuration file with their places. */
const reportText = (report: ExploreReport, written: ChosenConfig['written'], terminal: Terminal): string =>
  report.problems.length > 0 && report.stories === 0
    ? problemsText(report.problems, written, terminal, 'No story was played')
    : terminalReport(report, styleOf(terminal))

/** The exit code of a search. What was found counts even if a signal ended it. */
function exitCodeOf({ report, obituary, stopped }: Ended): number {
  if (report.stopped !== null || report.found.some(({ seldom }) => !seldom)) return 1
  if (report.problems.length > 0) return 2
  if (obituary !== null) return 1
  return stopped?.exitCode ?? 0
}
