import { existsSync } from 'node:fs'
import type { Config } from '../../app/config.ts'
import { createEmulator, type Emulator, type EmulatorParts } from '../../app/emulator.ts'
import { serveEmulator } from '../../app/server.ts'
import { EmulatorError } from '../../domain/text/errors.ts'
import type { Place } from '../../domain/webhook/connection-advice.ts'
import { CoverageFolderRefused } from '../../journal/coverage.ts'
import { FixtureRefused, FixtureUnreadable } from '../../lifecycle/fixture-files.ts'
import { ScenarioFileError } from '../../lifecycle/scenarios/built-in.ts'
import { DatabaseRefused, SqliteUnavailable } from '../../store/refusals.ts'
import { CliError } from '../cli-error.ts'
import type { Log } from '../log/log.ts'
import type { Environment } from '../terminal.ts'
import { type HeldPort, holdPort } from './hold-port.ts'

/** Where this program runs, by the marks of container engines: a file of Docker and Podman, a variable of
 *  Kubernetes, the variable `container` of images. Cgroups do not help: with version 2 a container only sees its
 *  own.
 *  @param exists whether a file exists */
export function placeOf(env: Environment, exists: (file: string) => boolean = existsSync): Place {
  if (env.KUBERNETES_SERVICE_HOST) return 'pod'
  if (imageMarks.includes(env.container)) return 'container'
  return engineMarks.some((file) => exists(file)) ? 'container' : 'machine'
}

/** Values of `container` in images. systemd-nspawn and LXC also set it, but for machines. */
const imageMarks: readonly unknown[] = ['oci', 'docker', 'podman']

const engineMarks = ['/.dockerenv', '/run/.containerenv']

/** An emulator that was started and accepts connections. */
export interface Running {
  readonly emulator: Emulator
  readonly url: string
  close(): Promise<void>
}

/** Starts the emulator on its port. Checks everything that can be refused before it changes anything.
 *  @param handedIn what `sweep` or coverage adds
 *  @throws CliError */
export async function start(
  config: Config,
  log: Pick<Log, 'event' | 'error'>,
  handedIn: EmulatorParts = {},
): Promise<Running> {
  const missing = config.scenarios.find((path) => !existsSync(path))
  if (missing !== undefined) {
    throw new CliError(2, `error: there is no scenario file or folder ${JSON.stringify(missing)}`)
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

/** Converts errors that the user can fix. */
function refusalIn(error: unknown): CliError | null {
  if (error instanceof ScenarioFileError || error instanceof FixtureRefused)
    return new CliError(2, error.message)
  if (
    error instanceof DatabaseRefused ||
    error instanceof SqliteUnavailable ||
    error instanceof FixtureUnreadable ||
    error instanceof CoverageFolderRefused
  )
    return new CliError(2, `error: ${error.message}`)
  if (!(error instanceof Error) || !('code' in error)) return null
  if (error instanceof EmulatorError) return new CliError(2, `error: ${error.message}`)
  if (error.code === 'ERR_DLOPEN_FAILED') {
    return new CliError(
      2,
      `error: better-sqlite3 is not built for this Node (${process.versions.node}, ${process.platform} ${process.arch}); run \`npm rebuild better-sqlite3\``,
    )
  }
  return 'syscall' in error ? new CliError(2, `error: ${error.message}`) : null
}
