import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { allCases } from '../src/conform/cases/all.ts'
import { conformText } from '../src/conform/config/config-schema.ts'

const target = new URL('../docs/conform.md', import.meta.url)

/** `docs/conform.md` as it is, with the configuration and the cases as they should be. */
export function conformPage(): string {
  return [['members', memberTable()] as const, ['cases', caseTable()] as const].reduce(
    (page, [name, text]) => withPart(page, name, text),
    readFileSync(target, 'utf8'),
  )
}

function withPart(page: string, name: string, text: string): string {
  const marks = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`)
  if (!marks.test(page)) throw new Error(`docs/conform.md has lost the marks of ${name}`)
  return page.replace(marks, (_, begin: string, end: string) => `${begin}${text}${end}`)
}

type Schema = z.core.JSONSchema.BaseSchema

const memberTable = (): string =>
  table(
    ['Member', 'Means'],
    membersOf(z.toJSONSchema(conformText, { io: 'input', unrepresentable: 'any' }), ''),
  )

/** A subscription is started by the same members as an order. */
const told = ['startSubscription']

function membersOf({ properties = {}, required = [] }: Schema, before: string): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (typeof schema === 'boolean') return []
    const path = `${before}${name}`
    const words = [
      described[path] ?? described[name] ?? schema.description ?? '',
      ...(schema.enum === undefined || name === 'method' ? [] : [`One of ${schema.enum.join(', ')}.`]),
      ...(required.includes(name) && before !== '' ? ['Required.'] : []),
    ]
    const row = [`\`${path}\``, words.join(' ')]
    const below = told.includes(name) ? [] : membersOf(schema, `${path}.`)
    return [row, ...below]
  })
}

/** What the schema leaves to its name. */
const described: Readonly<Record<string, string>> = {
  startSubscription: 'Makes it create a monthly subscription; its members are those of `start`.',
  url: 'The address that is called.',
  headers: 'Sent with it; `content-type: application/json` is added where the body is no text.',
}

const caseTable = (): string =>
  table(
    ['Case', 'Level', 'What happens', 'Right'],
    allCases.map(({ id, level, title, happens, right }) => [`${id} ${title}`, level, happens, right]),
  )

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`
  return `${line(head)}|${'---|'.repeat(head.length)}\n${rows.map(line).join('')}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, conformPage())
