import { createLog } from '../log/log.ts'
import { toldToStop } from '../stop.ts'
import type { Terminal } from '../terminal.ts'
import { loadSettings } from './load-settings.ts'
import { readServeOptions } from './options.ts'

/** `serve`: starts the emulator and ends when it is told to. @throws GiveUp */
export async function serve(flags: Readonly<Record<string, unknown>>, terminal: Terminal): Promise<number> {
  const options = readServeOptions(flags, terminal.env)
  const { settingsFile } = options
  const config =
    settingsFile === undefined ? options.config : { ...options.config, settings: loadSettings(settingsFile) }
  const told = toldToStop()

  const [{ start }, { startFacts }, log] = await Promise.all([
    import('./start.ts'),
    import('./start-facts.ts'),
    createLog(options.log ?? (terminal.interactive ? 'pretty' : 'json'), terminal, config.clientId),
  ])
  process.on('uncaughtException', (error) => {
    log.error(error)
    process.exit(1)
  })
  const running = await start(config, log)
  log.ready(startFacts(running.emulator, config, running.url, terminal.env))
  log.stopping(await told)
  await running.close()
  return 0
}
