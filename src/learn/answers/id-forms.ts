import type { EpochMs } from '../../domain/text/time.ts'

/** An id that was seen, and what is known about its origin. */
export interface IdSample {
  readonly text: string
  /** The id was made between these times. */
  readonly from: EpochMs
  readonly to: EpochMs
  /** `first` for the only charge of an order or the first one of a subscription; `unknown` if it cannot be told. */
  readonly charge: 'first' | 'later' | 'unknown'
}

/** The version of the UUIDs that stand for a form of `null`. */
export type UuidVersion = 4 | 7

/** Whether a text is a UUID of a version. */
export const isUuid = (text: string, version: UuidVersion): boolean =>
  new RegExp(`^[\\da-f]{8}-[\\da-f]{4}-${version}[\\da-f]{3}-[89ab][\\da-f]{3}-[\\da-f]{12}$`).test(text)

/** Whether an id can have a form, as a settings file writes it: its parts, and equal parts where the form repeats one.
 *  Times are not compared with the capture, whose clock may be another one. */
export function fits(form: string, { text, charge }: IdSample): boolean {
  const parts = form.split(/\$\{([^}]*)\}/)
  const named = parts.flatMap((part, index) => (index % 2 === 1 ? [part] : []))
  const pattern = parts.map((part, index) => {
    if (index % 2 === 0) return escaped(part)
    // A time is the same wherever a form has it.
    const earlier = named.indexOf(part)
    const isAgain = !isRandom(part.split(':')[0]) && earlier < (index - 1) / 2
    return isAgain ? `(\\${earlier + 1})` : `(${patternOf(part, charge)})`
  })
  const [, ...values] = new RegExp(`^${pattern.join('')}$`).exec(text) ?? []
  if (values.length !== named.length || (values.length === 0 && text !== form)) return false
  const seen = new Map<string, string>()
  return named.every((part, index) => {
    const [name = ''] = part.split(':')
    const value = (values[index] ?? '').toLowerCase()
    // Random parts of one kind begin alike.
    const before = seen.get(name) ?? ''
    if (value.length > before.length) seen.set(name, value)
    return !isRandom(name) || value.startsWith(before) || before.startsWith(value)
  })
}

const isRandom = (name: string | undefined): boolean =>
  name === 'digits' || name === 'hex' || name === 'base62'

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

const monthAndDay = '(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])'

/** The times of creation that an id can have; others are milliseconds, up to the year 2286. */
const timePatterns: readonly (readonly [format: string, pattern: string])[] = [
  ['yyyymmdd', `\\d{4}${monthAndDay}`],
  ['yymmdd', `\\d\\d${monthAndDay}`],
  ['seconds', '\\d{10}'],
]

function patternOf(part: string, charge: IdSample['charge']): string {
  const [name = '', ...formats] = part.split(':')
  const isLower = formats.findLast((format) => format === 'lower' || format === 'upper') === 'lower'
  const isCased = formats.includes('lower') || formats.includes('upper')
  const characters = formats.find((format) => /^\d+$/.test(format)) ?? '1'
  switch (name) {
    case 'digits':
      return `\\d{${characters}}`
    case 'hex':
      return isCased && !isLower ? `[\\dA-F]{${characters}}` : `[\\da-f]{${characters}}`
    case 'base62':
      return isCased ? `[\\d${isLower ? 'a-z' : 'A-Z'}]{${characters}}` : `[\\dA-Za-z]{${characters}}`
    case 'ulid':
      return isLower ? '[0-7][0-9a-hjkmnp-tv-z]{25}' : '[0-7][0-9A-HJKMNP-TV-Z]{25}'
    case 'createdAt':
      return timePatterns.find(([format]) => formats.includes(format))?.[1] ?? '\\d{13}'
    case 'charge':
      return charge === 'first' ? '0*1' : '\\d+'
    default:
      return '(?!)'
  }
}
