import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Conformance, type ConformReport } from '../../conform/index.ts'
import { connectEmulator, ControlCallRefused, EmulatorUnreachable, type TestEmulator } from '../../index.ts'
import type { ControlAccess } from '../control-call.ts'
import { GiveUp } from '../give-up.ts'
import type { Terminal } from '../terminal.ts'
import { type ChosenConfig, chosenConfig } from './chosen-config.ts'
import { writeInitialConfig } from './init.ts'
import { type ConformFlags, readConformFlags } from './options.ts'
import { repeatCommand } from './repeat-command.ts'
import { untilStopped } from './until-stopped.ts'

/** `conform`: tests an application, and ends with 1 if something failed that must not. @throws GiveUp */
export async function conformTo(
  file: string,
  named: boolean,
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<number> {
  if (flags.init === true) return writeInitialConfig(file, flags.force === true, terminal)
  const options = readConformFlags(file, named, flags, terminal.env)
  const chosen = chosenConfig(options, terminal)
  const files = [options.junit, options.html].filter((path) => path !== null)
  for (const path of files) makeFolderOf(path)
  const emulator = await connected(options)
  try {
    const report = await played(emulator, chosen, options, terminal)
    write(report, options, chosen, terminal)
    return exitCodeOf(report)
  } catch (error) {
    throw inWords(error, options)
  } finally {
    await emulator.close()
  }
}

function played(
  emulator: TestEmulator,
  { config }: ChosenConfig,
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
    return new GiveUp(1, `error: no emulator answers at ${url}: ${error.message} Is it elsewhere? Say so with --url`)
  if (error instanceof ControlCallRefused && error.status === 401)
    return new GiveUp(2, `error: the emulator at ${url} asks for a control token: give --control-token`)
  if (error instanceof ControlCallRefused && error.code === null) return new GiveUp(1, `error: ${error.message}`)
  return error
}
