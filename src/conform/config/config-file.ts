import { check } from '../../domain/problems.ts'
import { problemsOf, readYaml, type SourceProblem, type YamlSource } from '../../domain/yaml-source.ts'
import type { ConformConfig } from './config.ts'
import { conformText } from './config-schema.ts'
import { fromEnvironment, type UsedVariable } from './environment.ts'

/** A configuration that was read and is right in itself. */
export interface ConfigFile {
  readonly config: ConformConfig
  /** Knows where each member stands. */
  readonly source: YamlSource
  /** What the environment has put into it. */
  readonly used: readonly UsedVariable[]
}

/** Reads the text of a configuration.
 *  @param file the name that problems carry
 *  @param environment for `${NAME}`; null to check the file alone, wherever it will be used: what depends on a variable
 *    without a default is taken to be right */
export function readConfigFile(
  text: string,
  file: string,
  environment: Readonly<Record<string, string | undefined>> | null,
): ConfigFile | { problems: readonly SourceProblem[]; used: readonly UsedVariable[] } {
  const source = readYaml(text, file)
  if (source.problems.length > 0) return { problems: source.problems, used: [] }
  const { value, unset, used } = fromEnvironment(source.value ?? {}, environment ?? {})
  const checked = check(conformText, value)
  const depends = new Set(unset.map(({ path }) => path.join('\n')))
  const wrong = checked.ok ? [] : checked.problems.filter(({ path }) => !depends.has(path.join('\n')))
  const problems = problemsOf(environment === null ? wrong : [...unset, ...wrong], source)
  if (problems.length > 0) return { problems, used }
  return { config: checked.ok ? checked.value : {}, source, used }
}
