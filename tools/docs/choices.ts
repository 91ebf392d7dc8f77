import { choicesTable, type SettingRow } from '../../src/domain/choices/settings.ts'
import { formatWords, type ValueKind } from '../../src/domain/text/template.ts'
import { webhookPlaceholders } from '../../src/domain/webhook/payload-template.ts'
import { sections, table } from './table.ts'

/** The assumptions, in sections. */
export const choices = (): string =>
  sections(
    choicesTable(),
    ({ n }) => n,
    {
      N1: 'Creating orders',
      N28: 'Errors and HTTP',
      N36: 'Webhooks and events',
      N57: 'Lookups, states, money',
      N75: 'Words and headers of webhooks',
    },
    (rows) =>
      table(
        ['Open', 'What the emulator does', 'Why', 'Settings', 'Id'],
        rows.map(({ n, open, choice, reason, settings }) => [
          ...[open, choice, reason],
          settings.map(({ name }) => `\`${name}\``).join('<br>'),
          n,
        ]),
      ),
    '###',
  )

/** The settings, each at the first assumption that it is about. */
export function settings(): string {
  const rows = new Map<string, string[]>()
  for (const { n, open, settings: own } of choicesTable())
    for (const setting of own)
      if (!rows.has(setting.name)) rows.set(setting.name, [...settingCells(setting), `${open} (${n})`])
  return table(['Setting', 'Takes', 'Default', 'Set for', 'Decides'], [...rows.values()])
}

const settingCells = ({ name, allowed, default: fallback, scope }: SettingRow): string[] => [
  `\`${name}\``,
  allowed,
  fallback === null ? 'nothing' : `\`${typeof fallback === 'string' ? fallback : JSON.stringify(fallback)}\``,
  { common: 'all clients', client: 'all or one', order: 'all or one, or by a scenario' }[scope],
]

/** The values that webhooks can name, by kind, with the formats of each kind. */
export function webhookValues(): string {
  const values = Object.entries<ValueKind>(webhookPlaceholders.values)
  const kinds = [...Map.groupBy(values, ([, kind]) => kind)]
  return table(
    ['Kind', 'Values', 'Formats'],
    kinds.map(([kind, some]) => [
      kind,
      some.map(([name]) => `\`${name}\``).join(', '),
      [...formatWords(kind).map((format) => `\`${format}\``), 'a number of digits'].join(', '),
    ]),
  )
}

/** The points that a provider's documents may decide, with the settings that follow them: a line to tick each. */
export const checklist = (): string =>
  sections(
    choicesTable().filter(({ settings: own }) => own.length > 0),
    ({ n }) => n,
    { N1: 'Orders and their answers', N28: 'Errors', N36: 'Webhooks', N57: 'Lookups, ids and tokens' },
    (rows) =>
      rows
        .map(({ n, open, settings: own }) => {
          const names = own.map(({ name }) => `\`${name}\``).join(', ')
          return `- [ ] ${open} ${names} (${n})\n`
        })
        .join(''),
    '###',
  )
