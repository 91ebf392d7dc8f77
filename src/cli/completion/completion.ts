import type { Command } from 'commander'
import { allCases } from '../../conform/cases/all.ts'
import { behaviours } from '../../domain/sweep/behaviours.ts'
import { idOf } from '../../lifecycle/scenario-files.ts'
import { yamlFilesAt } from '../../lifecycle/yaml-files.ts'
import { fixturesFolder, scenariosFolder } from '../../package.ts'
import type { Terminal } from '../terminal.ts'
import { bashScript } from './bash.ts'
import { type CompletedProgram, completedProgram } from './completed-program.ts'
import { fishScript } from './fish.ts'
import { zshScript } from './zsh.ts'

/** `completion`: prints the script for a shell. It is made of the program itself, so it knows what that knows. */
export async function completion(shell: string, program: Command, terminal: Terminal): Promise<number> {
  const script = scripts[shell]
  if (script === undefined) throw new Error(`no script for ${shell}`)
  const shipped = {
    scenarios: namesIn(scenariosFolder),
    fixtures: namesIn(fixturesFolder),
    cases: allCases.map(({ id }) => id),
    behaviours: behaviours.map(({ name }) => name),
  }
  terminal.out(script(completedProgram(program, shipped)).trimEnd())
  return 0
}

const namesIn = (folder: string): string[] => yamlFilesAt(folder).files.map(idOf)

const scripts: Readonly<Record<string, (program: CompletedProgram) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}
