import { readFileSync } from 'node:fs'
import { table } from './table.ts'

/** How a test writes what each class stands for, in the order of the page. */
const classes = {
  'test-emulator': 'emulator',
  'test-client': 'client',
  controls: 'client',
  clock: 'client.clock',
  orders: 'client.orders',
  scenarios: 'client.scenarios',
  deliveries: 'client.deliveries',
  requests: 'client.requests',
  faults: 'client.faults',
  'inbox/webhook-inbox': 'inbox',
}

/** The methods of the library with the first sentence of their docstrings. */
export const libraryMethods = (): string =>
  table(
    ['', ''],
    Object.entries(classes).flatMap(([file, written]) =>
      methodsIn(readFileSync(new URL(`../../src/testing/${file}.ts`, import.meta.url), 'utf8')).map(
        ({ name, does }) => [`\`${written}.${name}\``, does],
      ),
    ),
  )

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
  return (/^.*?(?:\.|:(?= `|$))(?= |$)/.exec(line.trim())?.[0] ?? line).replace(/:$/, '.')
}
