import {
  type ApplicationProcess,
  type ConformConfig,
  type ConformReport,
  conform,
  Progress,
} from '../../conform/index.ts'
import { ProgressLine } from '../../conform/report/progress-line.ts'
import { ControlCallRefused, connectEmulator, EmulatorUnreachable, type TestEmulator } from '../../index.ts'
import { CliError } from '../cli-error.ts'
import type { ControlAccess } from '../emulator-url.ts'
import { programCall } from '../program-call.ts'
import type { Terminal } from '../terminal.ts'
import { type ConformFlags, repeatCommand } from './options.ts'

/** Where a run of test cases takes place. */
export interface TestPlace {
  readonly terminal: Terminal
  readonly signal: AbortSignal
  /** The application, if this program has started it. */
  readonly application: ApplicationProcess | undefined
}

/** Runs the test cases, and shows their progress at a terminal.
 *  @throws CliError, Stopped */
export async function tested(
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
  try {
    return await withEmulator(access, (emulator) =>
      conform(emulator, config, {
        ...{ only, level, seed, requireSeen, signal },
        process: application,
        onCase: progress?.onCase,
        onResult: progress?.onResult,
        emulatorEnds: options.command !== null,
        repeatWith: (id, usedSeed, shownBy) => {
          const ids = shownBy === undefined ? [id] : [id, shownBy]
          return repeatCommand(programCall(terminal.env), ids, usedSeed, options)
        },
      }),
    )
  } finally {
    progress?.end()
  }
}

/** Connects to a running emulator for the length of a run.
 *  @throws CliError */
export async function withEmulator<T>(
  access: ControlAccess,
  use: (emulator: TestEmulator) => Promise<T>,
): Promise<T> {
  const emulator = await connected(access)
  try {
    return await use(emulator)
  } catch (error) {
    throw inWords(error, access)
  } finally {
    await emulator.close()
  }
}

/** The line of a terminal that shows the progress of a run; nothing elsewhere. */
export function progressAt(terminal: Terminal): ProgressLine {
  const { interactive } = terminal
  return new ProgressLine({ ...styleOf(terminal), interactive, write: (text) => terminal.overwrite(text) })
}

/** The style of a report in a terminal. */
export const styleOf = ({ colours, columns }: Terminal) => ({ colours, columns })

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
    return new CliError(1, `error: ${error.message} For another emulator, pass \`--url\`.`)
  if (error instanceof ControlCallRefused && error.status === 401)
    return new CliError(
      2,
      `error: the emulator at ${url} requires a control token; pass it with \`--control-token\``,
    )
  if (error instanceof ControlCallRefused && error.code === null)
    return new CliError(1, `error: ${error.message}`)
  return error
}
