import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type ChoiceRow, choicesTable, type SettingRow } from '../src/domain/choices.ts'

const target = new URL('../docs/choices.md', import.meta.url)

/** The headings, each before the choice it begins with. */
const headings: ReadonlyMap<string, string> = new Map([
  ['N1', 'Creating orders'],
  ['N28', 'Errors and HTTP'],
  ['N36', 'Webhooks and events'],
  ['N57', 'Lookups, states, money'],
])

/** The text of `docs/choices.md`. */
export function choicesDocument(): string {
  const rows = choicesTable()
  return `<!-- Written by tools/choices-doc.ts from src/domain/choices/. -->

# Choices

The interface document leaves things open, and in places contradicts itself. Here is what the emulator does in each
case, why, and how to change it if you know better. Code and tests cite the numbers.

What the document prints comes first. Where it is silent, the emulator takes the answer that shows a mistake of the
client soonest; where that decides nothing, the usual one among public payment services. By itself it uses no status
value that is not printed.

A setting can be changed for all clients (\`--settings <file>\`), for one client (its \`settings\`, as in
\`PATCH /_emulator/clients/{clientId}\`), and some by a scenario for its orders (\`settings:\`). It is written with its
dotted name or in groups, as you like:

\`\`\`yaml
orders.expiry: 3m
webhook:
  timeout: 2s
  retry: { max: 3, cap: 1m }
\`\`\`

\`GET /_emulator/choices\` gives this table as JSON, with the values that hold.
${rows.map(choiceLine).join('')}
## Settings

| Setting | Takes | Default | Set for | Choice |
|---|---|---|---|---|
${rows.flatMap(settingLines).join('')}`
}

function choiceLine({ n, open, choice, reason, settings }: ChoiceRow): string {
  const heading = headings.get(n)
  const head = '| N | Open | What the emulator does | Why | Settings |\n|---|---|---|---|---|\n'
  const names = settings.map(({ name }) => `\`${name}\``).join('<br>')
  return `${heading === undefined ? '' : `\n## ${heading}\n\n${head}`}${line([n, open, choice, reason, names])}`
}

function settingLines({ n, settings }: ChoiceRow, index: number, rows: readonly ChoiceRow[]): string[] {
  const earlier = rows.slice(0, index).flatMap((row) => row.settings.map(({ name }) => name))
  return settings
    .filter(({ name }) => !earlier.includes(name))
    .map((setting) =>
      line([`\`${setting.name}\``, setting.allowed, written(setting.default), whom(setting), n]),
    )
}

const written = (value: unknown): string =>
  value === null ? 'nothing' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``

const whom = ({ scope }: SettingRow): string => scopes[scope]

const scopes = { common: 'all clients', client: 'all or one', order: 'all or one, or by a scenario' } as const

const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, choicesDocument())
