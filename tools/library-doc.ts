import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const target = new URL('../docs/library.md', import.meta.url)
const source = (file: string) => readFileSync(new URL(`../src/testing/${file}.ts`, import.meta.url), 'utf8')

/** How a test writes what each class stands for, in the order of the page. */
const classes: readonly (readonly [file: string, written: string])[] = [
  ['test-emulator', 'emulator'],
  ['test-client', 'client'],
  ['controls', 'client'],
  ['clock', 'client.clock'],
  ['orders', 'client.orders'],
  ['scenarios', 'client.scenarios'],
  ['deliveries', 'client.deliveries'],
  ['requests', 'client.requests'],
  ['faults', 'client.faults'],
  ['inbox/webhook-inbox', 'inbox'],
]

/** `docs/library.md` as it is, with the table of methods as the sources have them. */
export function libraryPage(): string {
  const page = readFileSync(target, 'utf8')
  return page.replace(
    /<!-- methods -->[\s\S]*<!-- \/methods -->/,
    () => `<!-- methods -->\n${table()}<!-- /methods -->`,
  )
}

function table(): string {
  const rows = classes.flatMap(([file, written]) =>
    methodsIn(source(file)).map(({ name, does }) => `| \`${written}.${name}\` | ${does} |\n`),
  )
  return `| | |\n|---|---|\n${rows.join('')}`
}

/** A public member of a class with its docstring: a method, or a property that is more than a part. */
const member =
  /\n {2}\/\*\* ((?:(?!\*\/)[\s\S])*)\*\/\n {2}(?:readonly |async |override )*(get )?(\w+)([<(:])/g

function methodsIn(text: string): { name: string; does: string }[] {
  const body = text.slice(text.indexOf('export class'))
  const members = [...body.matchAll(member)].filter(([, , , name]) => name !== 'toJSON')
  return members.map(([, words = '', getter, name = '', next]) => ({
    name: next === ':' || getter !== undefined ? name : `${name}()`,
    does: firstSentence(words),
  }))
}

const firstSentence = (words: string): string => {
  const line = words.replaceAll(/\s*\n\s*\*\s*/g, ' ').split(' @')[0] ?? ''
  return (/^.*?(?:\.|:(?= `|$))(?= |$)/.exec(line.trim())?.[0] ?? line)
    .replace(/:$/, '.')
    .replaceAll('|', '\\|')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, libraryPage())
