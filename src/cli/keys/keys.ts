import type { Keyboard } from '../terminal.ts'
import type { PromptLine } from './prompt-line.ts'

/** The keys and their actions while the emulator runs. */
export const keyTable = [
  { key: 'o', name: 'dashboard', does: 'open the dashboard in a browser' },
  { key: 'a', name: 'next', does: "move the demo client's clock to the next due event" },
  { key: 'A', name: 'advance', does: "move the demo client's clock forward by a duration, like 10m" },
  { key: 'q', name: 'quit', does: 'finish requests and deliveries in flight, then quit, like Ctrl-C' },
  { key: 'h', name: 'help', does: 'show more about this start, and these keys (also ?)' },
] as const

/** The line that lists the keys of a running emulator. */
export const keysLine = `Keys: ${keyTable.map(({ key, name }) => `${key} ${name}`).join(' · ')}`

/** The help text about keys, one line each. */
export const keysHelp = keyTable.map(({ key, does }) => `  ${key}  ${does}`).join('\n')

/** The name of a key's action; undefined for keys without one. */
const nameOf = (key: string): (typeof keyTable)[number]['name'] | undefined =>
  keyTable.find((row) => row.key === (key === '?' ? 'h' : key))?.name

/** The actions that keys trigger while the emulator runs. */
export interface KeyActions {
  dashboard(): void
  /** Advances the clock to the next due time. */
  next(): void | Promise<void>
  /** Advances the clock by a duration as it was typed. */
  advance(by: string): void | Promise<void>
  quit(): void
  help(): void
  /** Writes an empty line, to set off the output above. */
  emptyLine(): void
}

const question = 'advance by (like 10m, 1h30m; Esc cancels): '
const longestAnswer = 60
const signals = new Map<string, 'SIGINT' | 'SIGTSTP' | 'SIGQUIT'>([
  ['\u0003', 'SIGINT'],
  ['\u001a', 'SIGTSTP'],
  ['\u001c', 'SIGQUIT'],
])
/** Matches the escape sequences of arrow keys, function keys and the like. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with one
const sequences = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|O.)/g
const leave = '\u001b'
const endOfInput = '\u0004'
const eraseLine = '\u0015'
const backspaces = ['\u007f', '\b']
const enters = ['\r', '\n']

/** Reads keys and runs their actions.
 *  @returns restores the terminal */
export function startKeys(keyboard: Keyboard, prompt: PromptLine, actions: KeyActions): () => void {
  /** The answer typed so far; null without a question. */
  let answer: string | null = null
  const ask = (text: string | null) => {
    answer = text
    prompt.show(text === null ? null : `${question}${text}`)
  }
  const press = (key: string) => {
    const name = nameOf(key)
    if (name === 'advance') ask('')
    else if (name !== undefined) actions[name]()
    else if (enters.includes(key)) actions.emptyLine()
  }
  const typeOn = (before: string, key: string) => {
    if (enters.includes(key)) {
      ask(null)
      if (before.trim() !== '') actions.advance(before.trim())
    } else if ([leave, endOfInput].includes(key)) ask(null)
    else if (backspaces.includes(key)) ask([...before].slice(0, -1).join(''))
    else if (key === eraseLine) ask('')
    else if (/^[\x20-\x7e]$/.test(key)) ask(`${before}${key}`.slice(0, longestAnswer))
  }
  return keyboard.open((typed) => {
    const keys = [...typed.replaceAll(sequences, '')]
    // Ignores pasted text, so that text for another window does not stop the emulator.
    if (answer === null && new Set(keys).size > 1) return
    for (const key of keys) {
      const signal = signals.get(key)
      if (signal !== undefined) {
        ask(null)
        keyboard.signal(signal)
      } else if (answer === null) press(key)
      else typeOn(answer, key)
    }
  })
}
