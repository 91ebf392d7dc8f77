// Writes what the code says into the documents: `npx tsx tools/docs.ts`. Figures of the hard suite change with each run
// and are written only when asked for: `npx tsx tools/docs.ts docs/explanation/reliability.md`.

import { readFileSync, writeFileSync } from 'node:fs'
import { statuses } from '../src/domain/order/statuses.ts'
import { figuresText, kept } from '../test/hard/support/figures.ts'
import { apiCalls } from './docs/api.ts'
import { checklist, choices, settings, webhookValues } from './docs/choices.ts'
import { commandLineParts } from './docs/command-line.ts'
import { cases, fields } from './docs/conform.ts'
import { controlCallSections, controlCallTable, controlErrors, controlShapes } from './docs/control-api.ts'
import { causes } from './docs/diagnosis.ts'
import { bugTable, exampleNames, sweptBugTable } from './docs/examples.ts'
import { actTable, promiseTable } from './docs/explore.ts'
import { faultParts } from './docs/faults.ts'
import { fixtureFields } from './docs/fixture-fields.ts'
import { libraryGuideTests } from './docs/library-guide-tests.ts'
import { libraryParts } from './docs/library-reference.ts'
import { limitsTable } from './docs/limits.ts'
import { llmsText } from './docs/llms.ts'
import { metricsTable } from './docs/metrics.ts'
import { filled, holdingTests } from './docs/requirements.ts'
import { scenarioLibrary } from './docs/scenario-library.ts'
import { scenarioReference } from './docs/scenario-reference.ts'
import { sharedScenarioSchema } from './docs/scenario-schema.ts'
import { fixtureSchema, jsonText, snapshotSchema } from './docs/schemas.ts'
import { behaviourTable } from './docs/sweep.ts'
import { table } from './docs/table.ts'

/** A file, or a part of one, that is written from the code. */
interface Generated {
  /** From the project's root. */
  readonly file: string
  /** The part between `<!-- marker -->` and `<!-- /marker -->`; the whole file if left out. */
  readonly marker?: string
  /** @param written the file as it is */
  readonly render: (written: string) => string
}

/** The generated files and parts. */
export const generated: readonly Generated[] = [
  { file: 'docs/start/concepts.md', marker: 'statuses', render: statusTable },
  { file: 'docs/reference/api.md', marker: 'calls', render: apiCalls },
  { file: 'docs/reference/settings.md', marker: 'choices', render: choices },
  { file: 'docs/reference/settings.md', marker: 'settings', render: settings },
  { file: 'docs/reference/settings.md', marker: 'webhook values', render: webhookValues },
  { file: 'docs/how-to/match.md', marker: 'checklist', render: checklist },
  { file: 'docs/how-to/ci.md', render: withRecipes },
  ...commandLineParts.map((part) => ({ file: 'docs/reference/command-line.md', ...part })),
  { file: 'docs/reference/conform.md', marker: 'members', render: fields },
  { file: 'docs/reference/conform.md', marker: 'cases', render: cases },
  { file: 'docs/reference/control-api.md', marker: 'calls', render: controlCallTable },
  { file: 'docs/reference/control-api.md', marker: 'sections', render: controlCallSections },
  { file: 'docs/reference/control-api.md', marker: 'errors', render: controlErrors },
  { file: 'docs/reference/control-api.md', marker: 'objects', render: controlShapes },
  { file: 'docs/reference/diagnosis.md', marker: 'causes', render: causes },
  ...faultParts.map((part) => ({ file: 'docs/reference/faults.md', ...part })),
  { file: 'docs/explanation/reliability.md', marker: 'limits', render: limitsTable },
  { file: 'docs/reference/metrics.md', marker: 'metrics', render: metricsTable },
  ...exampleNames.map((name) => ({
    file: 'docs/how-to/examples.md',
    marker: name,
    render: () => bugTable(name),
  })),
  { file: 'docs/how-to/examples.md', marker: 'swept', render: sweptBugTable },
  { file: 'docs/how-to/sweep.md', marker: 'behaviours', render: behaviourTable },
  { file: 'docs/how-to/explore.md', marker: 'acts', render: actTable },
  { file: 'docs/how-to/explore.md', marker: 'promises', render: promiseTable },
  { file: 'docs/reference/fixtures.md', marker: 'fields', render: fixtureFields },
  ...libraryParts.map((part) => ({ file: 'docs/reference/library.md', ...part })),
  { file: 'test/requirements/requirements.md', render: (written) => filled(written, holdingTests()) },
  { file: 'docs/reference/built-in-scenarios.md', marker: 'scenarios', render: scenarioLibrary },
  { file: 'docs/reference/scenarios.md', marker: 'reference', render: scenarioReference },
  { file: 'docs/llms.txt', render: llmsText },
  { file: 'scenarios/schema.json', render: () => jsonText(sharedScenarioSchema()) },
  { file: 'fixtures/schema.json', render: fixtureSchema },
  { file: 'fixtures/snapshot.schema.json', render: snapshotSchema },
  { file: 'test/docs/library-guide.generated.test.ts', render: libraryGuideTests },
]

const measured: readonly Generated[] = [
  { file: 'docs/explanation/reliability.md', marker: 'figures', render: figures },
]

/** A file with its generated part as it should be. @throws Error if the marks of the part are gone */
export function withGenerated(written: string, { file, marker, render }: Generated): string {
  if (marker === undefined) return render(written)
  const part = new RegExp(`(<!-- ${marker} -->\n)[^]*?(<!-- /${marker} -->)`)
  if (!part.test(written)) throw new Error(`${file} has no <!-- ${marker} --> and <!-- /${marker} -->`)
  return written.replace(part, (_, begin: string, end: string) => `${begin}${render(written)}${end}`)
}

function statusTable(): string {
  const origins = { service: 'the service', setting: 'a setting', scenario: 'a scenario' }
  const rows = statuses.map(({ of, name, from, final, meaning }) => {
    return [of, `\`${name}\``, origins[from], final ? 'yes' : 'no', meaning]
  })
  return table(['Of', 'Status', 'Comes from', 'Final', 'Meaning'], rows)
}

/** The page with the files of `examples/ci` as they are now. */
function withRecipes(written: string): string {
  return written.replaceAll(
    /(<!-- file: (\S+) -->\n```\w+\n)[\s\S]*?^```$/gm,
    (_, head: string, file: string) => `${head}${read(file)}\`\`\``,
  )
}

/** The figures of the hard suite, in the order of the promises. */
function figures(): string {
  const areas = ['crash', 'stop', 'files', 'disk', 'receiver', 'one bad receiver', 'load', 'burst', 'clock']
  areas.push('waiting', 'worlds', 'signatures', 'bad input', 'scanners', 'web', 'model')
  const rows = kept()
    .toSorted((a, b) => areas.indexOf(a.area) - areas.indexOf(b.area))
    .map((each) => [each.area, each.promise, `\`${each.test}\``, figuresText(each.figures)])
  return `\n${table(['Area', 'Promise', 'Test', 'Last figures'], rows)}\n`
}

function read(file: string): string {
  return readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
}

if (process.argv[1] === import.meta.filename) {
  const names = process.argv.slice(2)
  const wanted = names.length === 0 ? generated : [...generated, ...measured]
  for (const one of wanted.filter(({ file }) => names.length === 0 || names.includes(file)))
    writeFileSync(one.file, withGenerated(read(one.file), one))
}
