import { warnOfIgnored } from '../check/named-files.ts'
import { PromptLine } from '../keys/prompt-line.ts'
import { createLog, readyFirst } from '../log/log.ts'
import { coverageFolderIn } from '../output-files.ts'
import { stopRequested } from '../stop.ts'
import type { Keyboard, Terminal } from '../terminal.ts'
import { type LogFormat, readServeOptions, withSettings } from './options.ts'
import { placeOf, start } from './start.ts'
import { startDetails, startFacts } from './start-text.ts'

/** Runs `serve`: starts the emulator, and ends on a signal.
 *  @throws CliError */
export async function serve(flags: Readonly<Record<string, unknown>>, terminal: Terminal): Promise<number> {
  const options = readServeOptions(flags, terminal.env)
  const config = { ...withSettings(options), place: placeOf(terminal.env) }
  const format = options.log ?? (terminal.interactive ? 'pretty' : 'json')
  const keyboard = keyboardFor(format, terminal)
  const prompt = keyboard === null ? null : new PromptLine(terminal, keyboard)
  const screen = prompt?.above ?? terminal
  const quit = Promise.withResolvers<string>()
  const stopped = stopRequested(quit.promise)
  warnOfIgnored(config.scenarios, terminal)

  const log = readyFirst(createLog(format, screen, config.clientId))
  process.on('uncaughtException', (error) => {
    log.error(error)
    process.exit(1)
  })
  const running = await start(config, log, { coverageFolder: coverageFolderIn(terminal.env) })
  const facts = startFacts(running.emulator, config, running.url, {
    env: terminal.env,
    keys: keyboard !== null,
  })
  const { url, dashboard, client } = facts
  log.ready(facts)
  let stopKeys = () => {}
  if (keyboard !== null && prompt !== null) {
    const { runningKeys, startKeys } = await import('../keys/running-keys.ts')
    const emulator = {
      url,
      dashboard,
      clientId: client.clientId,
      details: startDetails(facts),
      controlToken: running.emulator.controlToken,
    }
    stopKeys = startKeys(
      keyboard,
      prompt,
      runningKeys(emulator, screen, () => quit.resolve('q')),
    )
  }
  const why = await stopped
  stopKeys()
  log.stopping(why)
  await running.close()
  return 0
}

/** Returns the keyboard if the log is for people, and none otherwise. */
const keyboardFor = (format: LogFormat, { keyboard }: Terminal): Keyboard | null =>
  format === 'pretty' && keyboard?.isOurs() ? keyboard : null
