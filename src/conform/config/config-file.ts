import { check, type Problem } from '../../domain/text/problems.ts'
import { problemsOf, readYaml, type SourceProblem, type YamlSource } from '../../domain/text/yaml-source.ts'
import type { ConformConfig } from './config.ts'
import { conformText } from './config-schema.ts'

/** A value with environment variables filled in, and the problems. */
interface FromEnvironment {
  readonly value: unknown
  /** The environment variables that are not set, each as a problem. */
  readonly unset: readonly Problem[]
  /** The used variables, without defaults, which are in the file. */
  readonly used: readonly UsedVariable[]
}

/** A variable whose value is used in a configuration. */
export interface UsedVariable {
  readonly name: string
  readonly value: string
  readonly path: Problem['path']
}

/** Replaces `${NAME}` and `${NAME:-default if not set or empty}` by environment variables in all texts of a value.
 *  `$${NAME}` stands for `${NAME}` itself. */
function fromEnvironment(
  value: unknown,
  environment: Readonly<Record<string, string | undefined>>,
): FromEnvironment {
  const unset: Problem[] = []
  const used: UsedVariable[] = []
  const fill = (member: unknown, path: Problem['path']): unknown => {
    if (typeof member === 'string') {
      return member.replaceAll(variable, (_, escaped, name = '', fallback) => {
        if (escaped !== undefined) return escaped.slice(1)
        const given = environment[name]
        if (given) used.push({ name, value: given, path })
        const found = given || (fallback ?? given)
        if (found === undefined) unset.push({ path, message: notSet(name) })
        return found ?? ''
      })
    }
    if (Array.isArray(member)) return member.map((each, index) => fill(each, [...path, index]))
    if (typeof member !== 'object' || member === null) return member
    return Object.fromEntries(Object.entries(member).map(([key, each]) => [key, fill(each, [...path, key])]))
  }
  return { value: fill(value, []), unset, used }
}

const variable = /(\$\$\{[^}]*\})|\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g

const notSet = (name: string): string =>
  `the environment variable ${name} is not set; set it, or give a default: \${${name}:-default}`

/** A `conform` configuration that was read and is valid. */
export interface ConfigFile {
  readonly config: ConformConfig
  /** Finds the place of each field in the text. */
  readonly source: YamlSource
  /** The environment variables whose values were filled in. */
  readonly used: readonly UsedVariable[]
}

/** Reads the text of a configuration.
 *  @param file the file name in problems
 *  @param environment for `${NAME}`; null to check the file alone: values of variables without a default are assumed
 *    to be valid */
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
