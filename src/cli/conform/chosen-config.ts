import { existsSync } from 'node:fs'
import { readConfigFile } from '../../conform/config/config-file.ts'
import type { ConformConfig } from '../../conform/index.ts'
import type { SourceProblem, YamlSource } from '../../domain/yaml-source.ts'
import { toldProblems } from '../check/check.ts'
import { type NamedFile, namedFiles } from '../check/named-files.ts'
import { GiveUp } from '../give-up.ts'
import { programCall } from '../program-call.ts'
import type { Terminal } from '../terminal.ts'
import { HiddenValues } from './hidden-values.ts'
import type { ConformFlags } from './options.ts'

/** The configuration of a run, and the file that it came from. */
export interface ChosenConfig {
  readonly config: ConformConfig
  /** null if the command line says it all. */
  readonly written: (NamedFile & { readonly source: YamlSource }) | null
  /** What no report shows. */
  readonly hidden: HiddenValues
}

/** Reads the file, if one is meant, and lays over it what the command line says. @throws GiveUp */
export function chosenConfig({ file, over }: ConformFlags, terminal: Terminal): ChosenConfig {
  const client = terminal.env.EMULATOR_CLIENT_ID || undefined
  if (file === null) return { config: { client, ...over }, written: null, hidden: new HiddenValues([]) }
  if (!existsSync(file)) throw new GiveUp(2, missing(file, programCall(terminal.env)))
  const [only, ...others] = namedFiles([file], terminal)
  if (only === undefined || others.length > 0)
    throw new GiveUp(2, `error: ${JSON.stringify(file)} is a folder; name one file`)
  const read = readConfigFile(only.text, only.file, terminal.env)
  const hidden = new HiddenValues(read.used)
  if ('problems' in read) {
    const problems = read.problems.map((problem) => ({ ...problem, message: hidden.in(problem.message) }))
    throw new ConfigRefused(problems, toldProblems([{ ...only, kind: 'conform', problems }], terminal))
  }
  return { config: { client, ...read.config, ...over }, written: { ...only, source: read.source }, hidden }
}

/** A file that is wrong in itself. */
export class ConfigRefused extends GiveUp {
  readonly problems: readonly SourceProblem[]

  constructor(problems: readonly SourceProblem[], message: string) {
    super(2, message)
    this.problems = problems
  }
}

const missing = (file: string, call: string): string => `error: there is no file ${JSON.stringify(file)}
  ${call} conform --init                  writes a file to fill in
  ${call} conform --webhook-url <url>     runs the cases that need webhooks only`
