import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { table } from './table.ts'

/** Where the examples are. */
export const examplesFolder = fileURLToPath(new URL('../../examples/', import.meta.url))

/** The examples, by the names of their folders. */
export const exampleNames = ['vitest', 'jest', 'playwright'] as const

/** Examples in other languages, whose bug is found by `sweep`. */
export const sweptExamples = ['python', 'go'] as const

/** A test of an example. */
export interface ExampleTest {
  /** Within the example, like `test/webhooks.test.ts`. */
  readonly file: string
  readonly name: string
}

/** A bug that an example guards against: a patch that puts it in, and what its head says. */
export interface ExampleBug {
  readonly name: string
  readonly patch: string
  readonly title: string
  /** The effect in production. */
  readonly inProduction: string
  /** The tests that fail with it; all others pass. */
  readonly caughtBy: readonly ExampleTest[]
}

/** The bugs of an example, by name. @throws Error for a patch without a full head */
export function bugsOf(example: string): readonly ExampleBug[] {
  const folder = join(examplesFolder, example, 'bugs')
  const files = globSync('*.patch', { cwd: folder }).toSorted()
  return files.map((file) => readBug(join(folder, file)))
}

/** The lines of a patch's head that begin with a word. */
function headOf(patch: string): (word: string) => string[] {
  const [head = ''] = readFileSync(patch, 'utf8').split('\n\n')
  return (word) =>
    head.split('\n').flatMap((line) => (line.startsWith(`${word}: `) ? [line.slice(word.length + 2)] : []))
}

function readBug(patch: string): ExampleBug {
  const said = headOf(patch)
  const [title] = said('Bug')
  const [inProduction] = said('In production')
  const caughtBy = said('Caught by').map(testNamed)
  if (title === undefined || inProduction === undefined || caughtBy.length === 0)
    throw new Error(`${patch} does not begin with "Bug: ", "In production: " and "Caught by: "`)
  return { name: basename(patch, '.patch'), patch, title, inProduction, caughtBy }
}

function testNamed(text: string): ExampleTest {
  const [file = '', ...name] = text.split(' > ')
  return { file, name: name.join(' > ') }
}

/** The effect of each bug of an example, and the tests that catch it. */
export const bugTable = (example: string): string =>
  table(
    ['Bug', 'In production', 'Caught by'],
    bugsOf(example).map(({ name, title, inProduction, caughtBy }) => [
      `[${title}](../../examples/${example}/bugs/${name}.patch)`,
      inProduction,
      caughtBy.map((test) => `[${test.name}](../../examples/${example}/${test.file})`).join('; '),
    ]),
  )

/** The bugs that the examples' own tests miss, and the sweep that finds each. */
export const sweptBugTable = (): string =>
  table(
    ['Bug', 'In production', 'Found by'],
    sweptExamples.flatMap((example) =>
      globSync('*.patch', { cwd: join(examplesFolder, example, 'bugs') }).map((file) => {
        const said = headOf(join(examplesFolder, example, 'bugs', file))
        const [title = '', inProduction = '', sweep = ''] = ['Bug', 'In production', 'Found by'].flatMap(said)
        return [`[${title}](../../examples/${example}/bugs/${file})`, inProduction, `\`${sweep}\``]
      }),
    ),
  )
