import type { Command } from 'commander'
import { fixturesFolder, scenariosFolder } from '../../app/package.ts'
import { allCases } from '../../conform/cases/all.ts'
import { behaviours } from '../../domain/sweep/behaviours.ts'
import { idOf } from '../../lifecycle/scenarios/built-in.ts'
import { yamlFilesAt } from '../../lifecycle/scenarios/yaml-files.ts'
import type { Terminal } from '../terminal.ts'
import { type CompletedProgram, completedProgram } from './completed-program.ts'
import { bashScript, fishScript, zshScript } from './shell-scripts.ts'

/** Runs `completion`: prints the completion script for a shell, generated from the program. */
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
