import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)

/** A test that holds requirements: its name begins with their numbers (`R30, R123: …`). */
export interface HoldingTest {
  readonly file: string
  readonly name: string
  readonly numbers: readonly string[]
}

/** A line of the table. */
export interface RequirementRow {
  readonly number: string
  readonly waitsFor: string | null
}

const rowPattern = /^\| (R\d+) \| (.*) \| (.*) ?\|$/

/** The tests of `test/requirements/` that hold requirements, by file and place. */
export function holdingTests(): HoldingTest[] {
  const files = globSync('test/requirements/*.test.ts', { cwd: fileURLToPath(root) }).toSorted()
  return files.flatMap((file) => {
    const names = [...readFileSync(new URL(file, root), 'utf8').matchAll(/'(R\d[^'\n]*)'|"(R\d[^"\n]*)"/g)]
    return names.flatMap(([, single, double]) => {
      const [, numbers, name] = /^((?:R\d+, )*R\d+): (.+)$/.exec(single ?? double ?? '') ?? []
      if (numbers === undefined || name === undefined) return []
      return [{ file: basename(file), name, numbers: numbers.split(', ') }]
    })
  })
}

/** The rows of the document, in their order. */
export function requirementRows(document: string): RequirementRow[] {
  return document.split('\n').flatMap((line) => {
    const [, number, , heldBy] = rowPattern.exec(line) ?? []
    return number === undefined ? [] : [{ number, waitsFor: waitsFor(heldBy ?? '') }]
  })
}

/** The document with its last column filled in from the tests. */
export function filled(document: string, tests: readonly HoldingTest[]): string {
  const lines = document.split('\n').map((line) => {
    const [, number, statement, heldBy] = rowPattern.exec(line) ?? []
    if (number === undefined) return line
    const waits = waitsFor(heldBy ?? '')
    const cell = [
      ...tests.filter(({ numbers }) => numbers.includes(number)).map(cited),
      ...(waits === null ? [] : [`waits for: ${waits}`]),
    ].join('<br>')
    return `| ${number} | ${statement} | ${cell} |`
  })
  return lines.join('\n')
}

const cited = ({ file, name }: HoldingTest) => `\`${file}\`: ${name.replaceAll('|', '\\|')}`

const waitsFor = (heldBy: string) => /(?:^|<br>)waits for: (.*?) ?$/.exec(heldBy)?.[1] ?? null
