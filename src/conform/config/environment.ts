import type { Problem } from '../../domain/problems.ts'

/** A value with the environment filled in, and what could not be. */
export interface FromEnvironment {
  readonly value: unknown
  /** Texts that name variables which are not set, each with what is wrong. */
  readonly unset: readonly Problem[]
  /** What variables have put into it; defaults, which stand in the file, are not among them. */
  readonly used: readonly UsedVariable[]
}

/** A variable whose value stands in a configuration. */
export interface UsedVariable {
  readonly name: string
  readonly value: string
  /** Where. */
  readonly path: Problem['path']
}

/** Puts environment variables in the place of `${NAME}` and `${NAME:-what to take if it is not set or empty}` in all
 *  texts of a value. `$${NAME}` stands for `${NAME}` itself. */
export function fromEnvironment(
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
