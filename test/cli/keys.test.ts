import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keyTable, startKeys } from '../../src/cli/keys/keys.ts'
import { PromptLine } from '../../src/cli/keys/prompt-line.ts'
import { openInBrowser, runningKeys } from '../../src/cli/keys/running-keys.ts'
import { wantsColours } from '../../src/cli/main.ts'
import type { Keyboard } from '../../src/cli/terminal.ts'
import { aFolder } from '../support/folder.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { create, startForTest } from './running.ts'

class FakeKeyboard implements Keyboard {
  readonly signals: string[] = []
  /** The text of the cursor's line. */
  line = ''
  #onTyped: ((typed: string) => void) | null = null

  isOurs(): boolean {
    return true
  }

  open(onTyped: (typed: string) => void): () => void {
    this.#onTyped = onTyped
    return () => {
      this.#onTyped = null
    }
  }

  signal(name: string): void {
    this.signals.push(name)
  }

  show(text: string): void {
    this.line = text.startsWith('\r') ? '' : this.line + text
  }

  get isOpen(): boolean {
    return this.#onTyped !== null
  }

  type(...typed: string[]): void {
    for (const each of typed) this.#onTyped?.(each)
  }
}

function keysForTest() {
  const keyboard = new FakeKeyboard()
  const prompt = new PromptLine(new FakeTerminal(), keyboard)
  const done: string[] = []
  const stop = startKeys(keyboard, prompt, {
    dashboard: () => done.push('dashboard'),
    next: () => void done.push('next'),
    advance: (by) => void done.push(`advance ${by}`),
    quit: () => done.push('quit'),
    help: () => done.push('help'),
    emptyLine: () => done.push('empty line'),
  })
  return { keyboard, done, stop }
}

test.each([
  [['o'], ['dashboard']],
  [['a'], ['next']],
  [['aa'], ['next', 'next']],
  [
    ['h', '?'],
    ['help', 'help'],
  ],
  [['q'], ['quit']],
  [['\r'], ['empty line']],
  [['x', 'Q', '\u0004', '\u001b', 'é'], []],
  [['\u001b[A', '\u001bOP', '\u001b[1;5D'], []],
  [['quit; rm -rf'], []],
  [['A', '1', '0', 'm', '\r'], ['advance 10m']],
  [['A', '10m\r'], ['advance 10m']],
  [
    ['A', '9', '\u007f', '1', 'h', '\r', 'a'],
    ['advance 1h', 'next'],
  ],
  [['A', '5m', '\u0015', '1s', '\r'], ['advance 1s']],
  [['A', '\r'], []],
  [['A', '10', '\u001b', 'a'], ['next']],
  [['A', '10', '\u0004', 'a'], ['next']],
  [['A', '\u001b[A', 'q', '\r'], ['advance q']],
])('%j does %j', (typed, expected) => {
  const { keyboard, done } = keysForTest()
  keyboard.type(...typed)
  expect(done).toEqual(expected)
  expect(keyboard.line).toBe('')
})

test.each([
  ['\u0003', 'SIGINT'],
  ['\u001a', 'SIGTSTP'],
  ['\u001c', 'SIGQUIT'],
])('%j is still %s, and leaves what is being typed', (key, signal) => {
  const { keyboard, done } = keysForTest()
  keyboard.type('A', '10', key, '\r')
  expect([keyboard.signals, done]).toEqual([[signal], ['empty line']])
})

test('what is being typed stays below the lines that are written meanwhile', () => {
  const keyboard = new FakeKeyboard()
  const terminal = new FakeTerminal()
  const prompt = new PromptLine(terminal, keyboard)
  prompt.show('by: 10')
  prompt.above.out('a line')
  prompt.above.err('another')
  expect([terminal.output, terminal.errors, keyboard.line]).toEqual([['a line'], ['another'], 'by: 10'])
})

test('the terminal is given back', () => {
  const { keyboard, stop } = keysForTest()
  stop()
  expect(keyboard.isOpen).toBe(false)
})

test('each key has its own letter', () => {
  const letters = keyTable.map(({ key }) => key)
  expect(new Set(letters).size).toBe(letters.length)
})

async function running(env = {}) {
  const { url } = await startForTest({
    clock: 'manual',
    startTime: '2026-01-31T12:00:00Z',
    controlToken: 'hush',
  })
  const terminal = new FakeTerminal(env)
  const emulator = {
    ...{ url, dashboard: `${url}/_emulator/`, clientId: 'demo-client', controlToken: 'hush' },
    details: 'Seed  abc',
  }
  const clock = async (): Promise<string> => {
    const headers = { authorization: 'Bearer hush' }
    const { now } = JSON.parse(
      await (await fetch(`${url}/_emulator/clock?clientId=demo-client`, { headers })).text(),
    )
    return new Date(now).toISOString()
  }
  return { url, terminal, clock, actions: runningKeys(emulator, terminal, () => {}) }
}

test('"h" shows what the start has left out, and the keys', async () => {
  const { terminal, actions } = await running()
  actions.help()
  expect(terminal.output).toEqual([expect.stringMatching(/^Seed {2}abc\n\n {2}o {2}open the dashboard/)])
})

test('"a" moves the clock to what is due next, and says when nothing is', async () => {
  const { url, terminal, clock, actions } = await running()
  await actions.next()
  await terminal.written(/nothing is due, so the clock of demo-client does not move$/)
  await create(url, 'r1')
  await actions.next()
  expect(await clock()).toBe('2026-01-31T12:00:02.000Z')
})

test('"A" moves it by what was typed, and says what is wrong with that', async () => {
  const { terminal, clock, actions } = await running()
  await actions.advance('10')
  await terminal.written(/ "10": expected a duration, but 10 has no unit; write 10s/)
  await actions.advance('P1M')
  expect(await clock()).toBe('2026-02-28T12:00:00.000Z')
})

test('"o" opens the dashboard, or says where it is', async () => {
  const folder = aFolder()
  writeFileSync(join(folder, 'xdg-open'), '#!/bin/sh\necho "$1" > "${0%/*}/opened"\n')
  chmodSync(join(folder, 'xdg-open'), 0o755)
  expect(await openInBrowser('http://a/_emulator/', { PATH: `${folder}:/bin` }, 'linux')).toBe(true)
  expect(readFileSync(join(folder, 'opened'), 'utf8')).toBe('http://a/_emulator/\n')
  const { url, terminal, actions } = await running({ PATH: join(folder, 'nowhere') })
  actions.dashboard()
  expect(await terminal.written(/dashboard/)).toContain(`${url}/_emulator/`)
  await terminal.written(/no browser could be opened/)
})

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ FORCE_COLOR: '3', NO_COLOR: '1' }, false, true],
])('with %j on a terminal (%s) colours are wanted: %s', (env, terminal, wanted) => {
  expect(wantsColours(env, terminal)).toBe(wanted)
})
