import { Conformance, type ConformConfig, type ConformReport } from '../../conform/index.ts'
import { ControlCallRefused, connectEmulator, EmulatorUnreachable, type TestEmulator } from '../../index.ts'
import type { ControlAccess } from '../control-call.ts'
import { GiveUp } from '../give-up.ts'
import type { Terminal } from '../terminal.ts'
import { chosenConfig } from './chosen-config.ts'
import { writeInitialConfig } from './init.ts'
import { type ConformFlags, readConformFlags, usualFile } from './options.ts'
import { makeFolderOf } from './output-files.ts'
import { problemsText } from './problems-text.ts'
import { repeatCommand } from './repeat-command.ts'
import { untilStopped } from './until-stopped.ts'

/** `conform`: tests an application, and ends with 1 if something failed that must not.
 *  @param named the file that the command line names, if it does
 *  @throws GiveUp */
export async function conformTo(
  named: string | undefined,
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<number> {
  if (flags.init === true) return writeInitialConfig(named ?? usualFile, flags.force === true, terminal)
  const options = readConformFlags(named, flags, terminal.env)
  const chosen = chosenConfig(options, terminal)
  for (const file of [options.junit, options.html]) if (file !== null) makeFolderOf(file)
  const emulator = await connected(options)
  try {
    const report = await played(emulator, chosen.config, options, terminal)
    if (options.json) terminal.out(JSON.stringify(report))
    else if (report.problems.length > 0) terminal.out(problemsText(report.problems, chosen.written, terminal))
    else for (const { id, verdict, title } of report.cases) terminal.out(`${id} ${verdict} ${title}`)
    return exitCodeOf(report)
  } catch (error) {
    throw inWords(error, options)
  } finally {
    await emulator.close()
  }
}

function played(
  emulator: TestEmulator,
  config: ConformConfig,
  options: ConformFlags,
  terminal: Terminal,
): Promise<ConformReport> {
  const { only, level, seed } = options
  const run = new Conformance(emulator, config, {
    only,
    level,
    seed,
    repeatWith: (id, usedSeed) => repeatCommand(id, usedSeed, options),
  })
  return untilStopped(run.run(), () => run.close(), terminal)
}

const exitCodeOf = ({ problems, counts }: ConformReport): number =>
  problems.length > 0 ? 2 : counts.FAIL > 0 ? 1 : 0

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
    return new GiveUp(1, `error: ${error.message} Is it elsewhere? Say so with --url`)
  if (error instanceof ControlCallRefused && error.status === 401)
    return new GiveUp(2, `error: the emulator at ${url} asks for a control token: give --control-token`)
  if (error instanceof ControlCallRefused && error.code === null)
    return new GiveUp(1, `error: ${error.message}`)
  return error
}
