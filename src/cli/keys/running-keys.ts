import * as z from 'zod'
import { oneLine } from '../../domain/one-line.ts'
import { wallNow } from '../../time/wall.ts'
import { type ControlAccess, controlCall } from '../control-call.ts'
import { timeOf } from '../log/pretty-line.ts'
import type { Terminal } from '../terminal.ts'
import { keysHelp } from './key-table.ts'
import type { KeyActions } from './keys.ts'
import { openInBrowser } from './open-in-browser.ts'

export { startKeys } from './keys.ts'

/** A clock may have a long way to go, with many webhooks on it. */
const advanceWithinMs = 70_000

/** What the keys of a running emulator work with. */
export interface RunningEmulator extends ControlAccess {
  readonly dashboard: string
  /** The demo client, whose clock is moved. */
  readonly clientId: string
  /** What `h` shows beside the keys. */
  readonly details: string
}

/** What keys do while the emulator runs. The log tells what an advance has done; here stands what went otherwise. */
export function runningKeys(emulator: RunningEmulator, terminal: Terminal, quit: () => void): KeyActions {
  const say = (words: string) => terminal.out(`${timeOf(wallNow())} ${words}`)
  const move = async (how: string, by?: string): Promise<void> => {
    try {
      if (await moveClock(emulator, how, by === undefined ? {} : { by })) return
      say(`nothing is due, so the clock of ${oneLine(emulator.clientId)} does not move`)
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error)
      // At a keyboard nobody has called it "by".
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

/** @returns whether anything has moved */
async function moveClock(emulator: RunningEmulator, how: string, body: object): Promise<boolean> {
  const path = `/clock/${how}?${new URLSearchParams({ clientId: emulator.clientId })}`
  const sent = { type: 'application/json', text: JSON.stringify(body) }
  const answer = await controlCall(emulator, 'POST', path, sent, advanceWithinMs)
  const { from, now, transitions, deliveries } = ledger.parse(answer)
  return how === 'advance' || now > from || transitions.length + deliveries.length > 0
}
