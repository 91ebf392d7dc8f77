import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import { scenariosFolder } from '../../app/package.ts'
import { explainText } from '../../domain/explain/explain-text.ts'
import { explain } from '../../domain/explain/explanation.ts'
import { type OrderKind, orderKinds } from '../../domain/order/order.ts'
import { readScenarioFile } from '../../domain/scenario/compile-scenario.ts'
import type { Scenario } from '../../domain/scenario/scenario.ts'
import { EmulatorError } from '../../domain/text/errors.ts'
import { didYouMean, shown } from '../../domain/text/issue-words.ts'
import { AddedScenarios } from '../../lifecycle/scenarios/added-files.ts'
import { BuiltInScenarios, idOf, ScenarioFileError } from '../../lifecycle/scenarios/built-in.ts'
import { ScenarioCatalog } from '../../lifecycle/scenarios/catalog.ts'
import { problemLines } from '../check/check.ts'
import { namedFiles, warnOfIgnored } from '../check/named-files.ts'
import { CliError } from '../cli-error.ts'
import type { Terminal } from '../terminal.ts'

/** Runs `explain`: prints the timeline of a scenario.
 *  @throws CliError */
export async function explainScenario(
  name: string,
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<number> {
  const kind = kindIn(flags.kind)
  const fiatAmount = amountIn(flags.amount)
  const scenario = scenarioNamed(name, scenarioPaths(flags.scenarios, terminal), terminal)
  if (kind !== undefined && scenario.for !== null && !scenario.for.includes(kind)) {
    throw new CliError(
      2,
      `error: --kind: ${scenario.id} is for ${scenario.for.join(', ')}, not for a ${kind}`,
    )
  }
  const seed = typeof flags.seed === 'string' ? flags.seed : undefined
  const explanation = explain(scenario, { kind, fiatAmount, seed })
  terminal.out(flags.json === true ? JSON.stringify(explanation) : explainText(explanation))
  return 0
}

/** Finds a scenario by name, or by file if the argument looks like a file or is in a folder. */
function scenarioNamed(name: string, paths: readonly string[], terminal: Terminal): Scenario {
  const isFile = ['.yaml', '.yml', '.json'].includes(extname(name)) || /[\\/]/.test(name)
  return isFile ? scenarioIn(name, terminal) : scenarioCalled(name, paths)
}

function scenarioIn(path: string, terminal: Terminal): Scenario {
  const [only, ...others] = namedFiles([path], terminal)
  if (only === undefined || others.length > 0)
    throw new CliError(2, `error: ${shown(path)} is a folder; name one file`)
  const result = readScenarioFile(only.text, only.file, idOf(only.file))
  if ('scenario' in result) return result.scenario
  throw new CliError(1, problemLines([{ ...only, kind: 'scenario', problems: result.problems }], terminal))
}

function scenarioCalled(id: string, paths: readonly string[]): Scenario {
  try {
    return new ScenarioCatalog(new AddedScenarios(paths), new BuiltInScenarios(scenariosFolder)).get(id)
      .scenario
  } catch (error) {
    if (error instanceof EmulatorError) throw new CliError(2, `error: ${error.message}`)
    if (error instanceof ScenarioFileError) throw new CliError(1, error.message)
    throw error
  }
}

function scenarioPaths(flag: unknown, terminal: Terminal): string[] {
  const listed = Array.isArray(flag) ? flag.map(String) : (terminal.env.EMULATOR_SCENARIOS ?? '').split(',')
  const paths = listed.map((path) => path.trim()).filter((path) => path !== '')
  const missing = paths.find((path) => !existsSync(path))
  if (missing === undefined) {
    warnOfIgnored(paths, terminal)
    return paths
  }
  throw new CliError(2, `error: there is no scenario file or folder ${JSON.stringify(missing)}`)
}

function kindIn(flag: unknown): OrderKind | undefined {
  if (flag === undefined) return undefined
  const kind = orderKinds.find((known) => known === flag)
  if (kind !== undefined) return kind
  const hint = didYouMean(String(flag), orderKinds)
  throw new CliError(2, `error: --kind: expected ${orderKinds.join(', ')}, not ${shown(flag)}${hint}`)
}

function amountIn(flag: unknown): string | undefined {
  if (flag === undefined) return undefined
  if (/^\d{1,30}(\.\d{1,18})?$/.test(String(flag))) return String(flag)
  throw new CliError(2, `error: --amount: expected an amount like 10.00, not ${shown(flag)}`)
}
