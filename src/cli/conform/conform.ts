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
import type { ControlAccess } from '../control-call.ts'
import { GiveUp } from '../give-up.ts'
import { programCall } from '../program-call.ts'
import type { Terminal } from '../terminal.ts'
import { type ChosenConfig, ConfigRefused, chosenConfig } from './chosen-config.ts'
import { exitCodeOf } from './exit-code.ts'
import { writeInitialConfig } from './init.ts'
import { type ConformFlags, readConformFlags, usualFile } from './options.ts'
import { makeWritable, writeResult } from './output-files.ts'
import { problemsText } from './problems-text.ts'
import { refusedReport } from './refused-report.ts'
import { repeatCommand } from './repeat-command.ts'
import { shownReport } from './shown-report.ts'
import { Stopped, untilStopped } from './until-stopped.ts'

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
    return new GiveUp(
      1,
      `error: ${error.message} Start one with \`npx payment-order-emulator\`, or pass \`--url\``,
    )
  if (error instanceof ControlCallRefused && error.status === 401)
    return new GiveUp(
      2,
      `error: the emulator at ${url} requires a control token; pass it with \`--control-token\``,
    )
  if (error instanceof ControlCallRefused && error.code === null)
    return new GiveUp(1, `error: ${error.message}`)
  return error
}
