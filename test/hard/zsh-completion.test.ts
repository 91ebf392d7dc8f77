import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aFolder } from '../support/folder.ts'
import { program } from './support/program.ts'
import { hasPython, TerminalSession } from './support/terminal-session.ts'

const hasZsh = spawnSync('zsh', ['--version']).status === 0

test.runIf(hasPython && hasZsh)('zsh completes commands, flags, values and files', async () => {
  const folder = aFolder()
  writeFileSync(join(folder, 'script'), execFileSync(process.execPath, [program, 'completion', 'zsh']))
  writeFileSync(join(folder, 'a-file.yaml'), '')
  const session = new TerminalSession(['zsh', '-f', '-i'], folder)
  session.type(
    'stty rows 40 cols 200; autoload -Uz compinit; compinit -u -D; source ./script; PS1="REA""DY> "\r',
  )
  const completed: [typed: string, seen: RegExp][] = [
    ['exe', /exec /],
    ['--cloc', /--clock/],
    ['--log js', /--log json/],
    ['exec --log sil', /--log silent/],
    ['explain fail-900', /fail-9004[\s\S]*fail-9005/],
    ['check a-f', /check a-file\.yaml/],
    ['wait --for del', /--for delivery/],
    ['completion zs', /completion zsh/],
  ]
  for (const [typed, seen] of completed) {
    await session.sees(/READY> /)
    session.type(`payment-order-emulator ${typed}\t`)
    expect(await session.sees(seen), typed).toMatch(seen)
    // Not Ctrl-C: with it the terminal drops what is typed next, if that comes before the shell has seen the signal.
    session.type('\u0015\r')
  }
})
