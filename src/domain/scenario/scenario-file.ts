import { isMapping } from '../mapping.ts'
import { check, type Problem } from '../problems.ts'
import type { TextLimit } from '../text-limits.ts'
import { problemsOf, readYaml, type SourceProblem } from '../yaml-source.ts'
import { compileScenario } from './compile-scenario.ts'
import { compileSteps } from './compile-steps.ts'
import type { Scenario } from './scenario.ts'
import { scenarioText } from './scenario-text.ts'
import { stepText } from './step-text.ts'

/** Reads the text of a scenario file and checks it whole.
 *  @param file the name that problems carry
 *  @param expectedId the id it must have, because files are found by it: the file's name without its ending
 *  @param limit default: that of files */
export function readScenarioFile(
  text: string,
  file: string,
  expectedId: string,
  limit?: TextLimit,
): { scenario: Scenario } | { problems: readonly SourceProblem[] } {
  const source = readYaml(text, file, limit)
  if (source.problems.length > 0) return { problems: source.problems }
  const checked = check(scenarioText, source.value)
  if (!checked.ok) {
    return { problems: problemsOf([...checked.problems, ...orderProblems(source.value)], source) }
  }
  const compiled = compileScenario(checked.value)
  const problems = 'problems' in compiled ? [...compiled.problems] : []
  if (checked.value.id !== expectedId) {
    problems.push({
      path: ['id'],
      message: `the id is ${checked.value.id}, but the file name is ${expectedId}; make them the same`,
    })
  }
  if ('problems' in compiled || problems.length > 0) return { problems: problemsOf(problems, source) }
  return compiled
}

/** What is wrong with the order of the steps that can be read, though others cannot: a file is told all its mistakes
 *  at once. Charges are left out, because a line that cannot be read may be the one that makes them come. */
function orderProblems(value: unknown): Problem[] {
  const timeline = isMapping(value) && 'timeline' in value ? value.timeline : null
  if (!Array.isArray(timeline)) return []
  const readable = timeline.flatMap((step: unknown, index) => {
    const { data } = stepText.safeParse(step)
    return data === undefined || data.every !== undefined || data.charge !== undefined
      ? []
      : [{ data, index }]
  })
  const problems: Problem[] = []
  compileSteps(
    readable.map(({ data }) => data),
    (place, message, ...member) =>
      problems.push({ path: ['timeline', readable[place]?.index ?? 0, ...member], message }),
  )
  return problems
}
