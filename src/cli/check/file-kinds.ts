import { basename, dirname, extname } from 'node:path'
import { readConfigFile } from '../../conform/config/config-file.ts'
import { conformText } from '../../conform/config/config-schema.ts'
import { settingNames } from '../../domain/choices.ts'
import { readFixtureFile } from '../../domain/fixture/fixture-file.ts'
import { fixtureText } from '../../domain/fixture/fixture-text.ts'
import { nearest } from '../../domain/nearest.ts'
import { readScenarioFile } from '../../domain/scenario/scenario-file.ts'
import { scenarioText } from '../../domain/scenario/scenario-text.ts'
import { readSettingsFile } from '../../domain/settings-file.ts'
import type { FixtureLimit } from '../../domain/text-limits.ts'
import { readYaml, type SourceProblem } from '../../domain/yaml-source.ts'

/** A kind of file that people write for the emulator. */
interface FileKind {
  readonly name: 'scenario' | 'fixture' | 'settings' | 'conform'
  /** Keys that stand at the outermost level of such a file. */
  readonly keys: readonly string[]
  /** What its folder or the file itself is called, for files that leave it open. */
  readonly called: RegExp
  /** Everything that is wrong with such a file. */
  readonly problems: (text: string, file: string, limit?: FixtureLimit) => readonly SourceProblem[]
}

/** One row for each kind; of kinds that fit equally well the first one counts. */
const kinds: readonly FileKind[] = [
  {
    name: 'scenario',
    // A scenario may carry settings, but no settings file has a group of that name.
    keys: Object.keys(scenarioText.shape),
    called: /scenario/i,
    problems: (text, file, limit) =>
      problemsIn(readScenarioFile(text, file, basename(file, extname(file)), limit)),
  },
  {
    name: 'fixture',
    keys: Object.keys(fixtureText.shape),
    called: /fixture/i,
    problems: (text, file, limit) => problemsIn(readFixtureFile(text, file, {}, limit)),
  },
  {
    name: 'settings',
    keys: [...new Set(settingNames.flatMap((name) => [name, name.split('.')[0] ?? name]))],
    called: /setting/i,
    problems: (text, file) => problemsIn(readSettingsFile(text, file)),
  },
  {
    name: 'conform',
    keys: Object.keys(conformText.shape),
    called: /conform/i,
    problems: (text, file) => problemsIn(readConfigFile(text, file, null)),
  },
]

/** What is wrong with a file, and which kind it was taken for. */
export function judge(
  text: string,
  file: string,
  limit?: FixtureLimit,
): { kind: FileKind['name']; problems: readonly SourceProblem[] } {
  const kind = kindOf(text, file)
  return { kind: kind.name, problems: kind.problems(text, file, limit) }
}

const allKeys = kinds.flatMap(({ keys }) => keys)

/** The kind whose keys the file uses most, misspelt ones included; failing that, what it or its folder is called. */
function kindOf(text: string, file: string): FileKind {
  const { value } = readYaml(text, file)
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : []
  const meant = keys.map((key) => nearest(key, allKeys) ?? key)
  const used = (kind: FileKind) => meant.filter((key) => kind.keys.includes(key)).length
  const most = Math.max(...kinds.map(used))
  const fitting = kinds.filter((kind) => used(kind) === most)
  const name = `${basename(dirname(file))}/${basename(file)}`
  const [first] = [...fitting.filter(({ called }) => called.test(name)), ...fitting]
  if (first === undefined) throw new Error('there is no kind of file')
  return first
}

const problemsIn = (result: object & { problems?: readonly SourceProblem[] }) => result.problems ?? []
