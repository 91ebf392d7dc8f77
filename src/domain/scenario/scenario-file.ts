import { check } from '../problems.ts'
import { problemsOf, readYaml, type SourceProblem } from '../yaml-source.ts'
import { compileScenario } from './compile-scenario.ts'
import type { Scenario } from './scenario.ts'
import { scenarioText } from './scenario-text.ts'

/** Reads the text of a scenario file and checks it whole.
 *  @param file the name that problems carry
 *  @param expectedId the id it must have, because files are found by it: the file's name without its ending */
export function readScenarioFile(
  text: string,
  file: string,
  expectedId: string,
): { scenario: Scenario } | { problems: readonly SourceProblem[] } {
  const source = readYaml(text, file)
  if (source.problems.length > 0) return { problems: source.problems }
  const checked = check(scenarioText, source.value)
  if (!checked.ok) return { problems: problemsOf(checked.problems, source) }
  const compiled = compileScenario(checked.value)
  const problems = 'problems' in compiled ? [...compiled.problems] : []
  if (checked.value.id !== expectedId) {
    problems.push({
      path: ['id'],
      message: `the file is called ${expectedId}, and files are found by their id; make the two the same`,
    })
  }
  if ('problems' in compiled || problems.length > 0) return { problems: problemsOf(problems, source) }
  return compiled
}
