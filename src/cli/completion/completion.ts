import type { Command } from 'commander'
import { BuiltInScenarios } from '../../lifecycle/built-in-scenarios.ts'
import { scenariosFolder } from '../../package.ts'
import type { Terminal } from '../terminal.ts'
import { bashScript } from './bash.ts'
import { type CompletedProgram, completedProgram } from './completed-program.ts'
import { fishScript } from './fish.ts'
import { zshScript } from './zsh.ts'

/** `completion`: prints the script for a shell. It is made of the program itself, so it knows what that knows. */
export async function completion(shell: string, program: Command, terminal: Terminal): Promise<number> {
  const script = scripts[shell]
  if (script === undefined) throw new Error(`no script for ${shell}`)
  const ids = [...new BuiltInScenarios(scenariosFolder).ids()]
  terminal.out(script(completedProgram(program, ids)).trimEnd())
  return 0
}

const scripts: Readonly<Record<string, (program: CompletedProgram) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}
