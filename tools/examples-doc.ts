import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bugsOf, type ExampleBug, type ExampleTest, exampleNames } from './example-bugs.ts'

const target = new URL('../docs/examples.md', import.meta.url)

const about: Readonly<Record<(typeof exampleNames)[number], string>> = {
  vitest: `## A shop, with vitest

[examples/vitest](../examples/vitest): TypeScript, ES modules, Hono, SQLite. It opens an order for each purchase, takes webhooks, asks for what no webhook told, and ships once. The fixture is in [test/fixtures.ts](../examples/vitest/test/fixtures.ts).`,
  jest: `## A magazine by subscription, with jest

[examples/jest](../examples/jest): JavaScript, CommonJS, Express. Who may read, and until when: trials, months that were not paid, months that are short. Its tests move the clock by days and months; [test/world.js](../examples/jest/test/world.js) has the magazine’s clock go with the emulator’s.`,
  playwright: `## A pay button, with playwright

[examples/playwright](../examples/playwright): TypeScript, no framework. A shop’s page, the emulator’s payment page, and the way back, in a browser. The fixture is in [test/fixtures.ts](../examples/playwright/test/fixtures.ts).`,
}

const head = `<!-- Written by tools/examples-doc.ts from the heads of the patches in examples/*/bugs. -->

# Examples

Three small applications, each with the tests that it deserves. All are built alike: one emulator for each worker of the test runner, a fresh client for each test, and the application under test reads that client’s credentials where it would read those of production. [examples/README.md](../examples/README.md) says how to run them.

A test is worth what it catches. For each bug below there is a patch that puts it in; the tests named beside it then fail, and no others. CI tries every one of them with the packed package. Try it yourself:

\`\`\`text
cd examples/vitest
git apply bugs/ships-twice.patch
npm test
git apply --reverse bugs/ships-twice.patch
\`\`\`
`

/** The text of `docs/examples.md`. */
export function examplesPage(): string {
  return [head, ...exampleNames.map(section)].join('\n')
}

function section(example: (typeof exampleNames)[number]): string {
  const rows = bugsOf(example).map((bug) => row(example, bug))
  return `${about[example]}\n\n| bug | in production | caught by |\n|---|---|---|\n${rows.join('')}`
}

function row(example: string, { name, title, inProduction, caughtBy }: ExampleBug): string {
  const link = (test: ExampleTest) => `[${test.name}](../examples/${example}/${test.file})`
  const cells = [
    `[${title}](../examples/${example}/bugs/${name}.patch)`,
    inProduction,
    caughtBy.map(link).join('; '),
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, examplesPage())
