import type { Cause } from '../causes.ts'
import type { Mistake } from '../mistake.ts'
import { joined, type Pair } from './signed-text.ts'

/** A signed text with the right values that are joined in a wrong way. */
export interface Arrangement {
  readonly text: string | Buffer
  readonly mistake: Mistake
}

/** The wrong ways to join the fields of a signed text. */
const layoutRows: readonly (readonly [
  cause: Cause,
  words: string,
  lay: (pairs: readonly Pair[]) => string | Buffer,
])[] = [
  ['signature.line-end', 'you signed a line break after the string', (pairs) => `${joined(pairs)}\n`],
  [
    'signature.line-end',
    'you signed a line break (CR LF) after the string',
    (pairs) => `${joined(pairs)}\r\n`,
  ],
  ['signature.separators', 'you signed an & after the string', (pairs) => `${joined(pairs)}&`],
  ['signature.separators', 'you signed a ? before the string', (pairs) => `?${joined(pairs)}`],
  [
    'signature.separators',
    'you signed `&amp;` instead of &',
    (pairs) => joined(pairs).replaceAll('&', '&amp;'),
  ],
  ['signature.separators', 'you joined the fields without &', (pairs) => joined(pairs).replaceAll('&', '')],
  ['signature.separators', 'you joined the fields with commas instead of &', by(',', '=')],
  ['signature.separators', 'you joined the fields with line breaks instead of &', by('\n', '=')],
  ['signature.separators', 'you wrote colons instead of =', by('&', ':')],
  ['signature.values-only', 'you signed the values without their names', values('')],
  ['signature.values-only', 'you signed the values without their names', values('&')],
  ['signature.values-only', 'you signed the values without their names', values('|')],
  ['signature.values-only', 'you signed the values without their names', values(':')],
  ['signature.member-names', 'you signed the names in snake_case', named(snake)],
  ['signature.member-names', 'you signed the names with a capital first letter', named(capital)],
  ['signature.member-names', 'you signed the names in lower case', named((name) => name.toLowerCase())],
  [
    'signature.percent-encoded',
    'you percent-encoded the whole string',
    (pairs) => encodeURIComponent(joined(pairs).toWellFormed()),
  ],
  ['signature.bytes', 'you signed the string as Latin-1; sign its UTF-8 bytes', bytes('latin1')],
  ['signature.bytes', 'you signed the string as UTF-16; sign its UTF-8 bytes', bytes('utf16le')],
  [
    'signature.bytes',
    'you signed the string as ASCII, with ? for every other character; sign its UTF-8 bytes',
    (pairs) => joined(pairs).replaceAll(/\P{ASCII}/gu, '?'),
  ],
  [
    'signature.encoded-first',
    'you base64-encoded the string before signing it',
    (pairs) => Buffer.from(joined(pairs)).toString('base64'),
  ],
]

/** The texts that programs build from fields by mistake. */
export function otherArrangements(pairs: readonly Pair[]): Arrangement[] {
  const right = joined(pairs)
  return [
    ...layoutRows.map(([cause, words, lay]) => ({ text: lay(pairs), mistake: { cause, words } })),
    ...inOtherOrder(pairs),
    ...withoutOne(pairs),
  ].filter(({ text }) => text !== right && !(Buffer.isBuffer(text) && text.equals(Buffer.from(right))))
}

/** All orders; for more than five fields, only those of the first five. */
function inOtherOrder(pairs: readonly Pair[]): Arrangement[] {
  const wanted = pairs.map(([name]) => name).join(', ')
  return permutations(pairs.slice(0, 5)).map((order) => {
    const names = order.map(([name]) => name).join(', ')
    const words = `you signed the fields in the order ${names}; the correct order is ${wanted}`
    return {
      text: joined([...order, ...pairs.slice(5)]),
      mistake: { cause: 'signature.member-order', words },
    }
  })
}

function withoutOne(pairs: readonly Pair[]): Arrangement[] {
  return pairs.map(([missing]) => ({
    text: joined(pairs.filter(([name]) => name !== missing)),
    mistake: { cause: 'signature.member-missing', words: `you signed a string without \`${missing}\`` },
  }))
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((item, index) =>
    permutations([...items.slice(0, index), ...items.slice(index + 1)]).map((rest) => [item, ...rest]),
  )
}

function by(between: string, equals: string) {
  return (pairs: readonly Pair[]) => pairs.map(([name, value]) => `${name}${equals}${value}`).join(between)
}

function values(between: string) {
  return (pairs: readonly Pair[]) => pairs.map(([, value]) => value).join(between)
}

function named(rename: (name: string) => string) {
  return (pairs: readonly Pair[]) => joined(pairs.map(([name, value]) => [rename(name), value]))
}

function bytes(encoding: 'latin1' | 'utf16le') {
  return (pairs: readonly Pair[]) => Buffer.from(joined(pairs), encoding)
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function capital(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
}
