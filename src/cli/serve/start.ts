import { existsSync } from 'node:fs'
import type { Config } from '../../config.ts'
import { EmulatorError } from '../../domain/errors.ts'
import { createEmulator, type Emulator, type HandedIn } from '../../emulator.ts'
import { CoverageFolderRefused } from '../../journal/coverage.ts'
import { FixtureRefused, FixtureUnreadable } from '../../lifecycle/fixture-files.ts'
import { ScenarioFileError } from '../../lifecycle/scenario-files.ts'
import { serveEmulator } from '../../server.ts'
import { DatabaseRefused } from '../../store/database-refused.ts'
import { SqliteUnavailable } from '../../store/sqlite-unavailable.ts'
import { GiveUp } from '../give-up.ts'
import type { Log } from '../log/log.ts'
import { type HeldPort, holdPort } from './hold-port.ts'

/** An emulator that listens. */
export interface Running {
  readonly emulator: Emulator
  readonly url: string
  close(): Promise<void>
}

/** Starts the emulator on its port. Everything that can be refused is looked at before anything is changed.
 *  @param handedIn what a sweep or coverage wants of it
 *  @throws GiveUp */
export async function start(
  config: Config,
  log: Pick<Log, 'event' | 'error'>,
  handedIn: HandedIn = {},
): Promise<Running> {
  const missing = config.scenarios.find((path) => !existsSync(path))
  if (missing !== undefined) {
    throw new GiveUp(2, `error: there is no scenario file or folder ${JSON.stringify(missing)}`)
  }
  const port = await holdPort(config.host, config.port)
  try {
    const emulator = await createEmulator(config, log.error, handedIn)
    emulator.feed.listen(log.event)
    return await answering(emulator, config, port)
  } catch (error) {
    port.release()
    throw refusalIn(error) ?? error
  }
}

async function answering(emulator: Emulator, config: Config, port: HeldPort): Promise<Running> {
  try {
    const server = await serveEmulator(emulator, config, { ownProcess: true, listen: port.handTo })
    return { emulator, url: server.url, close: () => server.close() }
  } catch (error) {
    await emulator.close()
    throw error
  }
}

/** Errors that are the user's to mend, in words. */
function refusalIn(error: unknown): GiveUp | null {
  if (error instanceof ScenarioFileError || error instanceof FixtureRefused)
    return new GiveUp(2, error.message)
  if (
    error instanceof DatabaseRefused ||
    error instanceof SqliteUnavailable ||
    error instanceof FixtureUnreadable ||
    error instanceof CoverageFolderRefused
  )
    return new GiveUp(2, `error: ${error.message}`)
  if (!(error instanceof Error) || !('code' in error)) return null
  if (error instanceof EmulatorError) return new GiveUp(2, `error: ${error.message}`)
  if (error.code === 'ERR_DLOPEN_FAILED') {
    return new GiveUp(
      2,
      `error: better-sqlite3 is not built for this Node (${process.versions.node}, ${process.platform} ${process.arch}); run \`npm rebuild better-sqlite3\``,
    )
  }
  return 'syscall' in error ? new GiveUp(2, `error: ${error.message}`) : null
}
