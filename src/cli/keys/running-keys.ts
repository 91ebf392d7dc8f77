import { spawn } from 'node:child_process'
import * as z from 'zod'
import { oneLine } from '../../domain/text/issue-words.ts'
import { wallNow } from '../../time/wall.ts'
import { controlCall } from '../control-call.ts'
import type { ControlAccess } from '../emulator-url.ts'
import { timeOf } from '../log/pretty-line.ts'
import type { Environment, Terminal } from '../terminal.ts'
import { type KeyActions, keysHelp } from './keys.ts'

/** Opens a URL with the default browser.
 *  @returns whether that succeeded, as far as can be seen at once */
export function openInBrowser(url: string, env: Environment, platform = process.platform): Promise<boolean> {
  const [program, ...args] = openers[platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true, env: { ...env } })
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === 0))
    child.unref()
  })
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  // `start` takes its first quoted argument as a title.
  win32: ['cmd', '/c', 'start', '""'],
}

export { startKeys } from './keys.ts'

/** An advance may take long: it may send many webhooks. */
const advanceWithinMs = 70_000

/** The running emulator, for the actions of keys. */
export interface RunningEmulator extends ControlAccess {
  readonly dashboard: string
  /** The id of the demo client, whose clock the keys advance. */
  readonly clientId: string
  /** The text that the key `h` shows after the list of keys. */
  readonly details: string
}

/** The actions of keys while the emulator runs. The log reports what an advance did, so they report only problems. */
export function runningKeys(emulator: RunningEmulator, terminal: Terminal, quit: () => void): KeyActions {
  const say = (words: string) => terminal.out(`${timeOf(wallNow())} ${words}`)
  const move = async (how: string, by?: string): Promise<void> => {
    try {
      if (await moveClock(emulator, how, by === undefined ? {} : { by })) return
      say(`nothing is due, so the clock of ${oneLine(emulator.clientId)} does not move`)
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error)
      // The message names the field "by", which nobody has typed.
      say(oneLine(by === undefined ? words : words.replace(/^by(?=: )/, JSON.stringify(by))))
    }
  }
  return {
    dashboard: () => {
      say(`dashboard: ${emulator.dashboard}`)
      openInBrowser(emulator.dashboard, terminal.env).then((opened) => {
        if (!opened) say('no browser could be opened; open the URL above yourself')
      })
    },
    next: () => move('advance-to-next'),
    advance: (by) => move('advance', by),
    quit,
    help: () => terminal.out(`${emulator.details}\n\n${keysHelp}`),
    emptyLine: () => terminal.out(''),
  }
}

const ledger = z.object({
  from: z.number(),
  now: z.number(),
  transitions: z.array(z.unknown()),
  deliveries: z.array(z.unknown()),
})

/** @returns whether the clock was moved */
async function moveClock(emulator: RunningEmulator, how: string, body: object): Promise<boolean> {
  const path = `/clock/${how}?${new URLSearchParams({ clientId: emulator.clientId })}`
  const sent = { type: 'application/json', text: JSON.stringify(body) }
  const answer = await controlCall(emulator, 'POST', path, sent, advanceWithinMs)
  const { from, now, transitions, deliveries } = ledger.parse(answer)
  return how === 'advance' || now > from || transitions.length + deliveries.length > 0
}
