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
  const pattern = parts.map((part, index) => (index % 2 === 0 ? escaped(part) : `(${patternOf(part)})`))
  const [, ...values] = new RegExp(`^${pattern.join('')}$`).exec(text) ?? []
  if (values.length !== named.length || (values.length === 0 && text !== form)) return false
  const seen = new Map<string, string>()
  return named.every((part, index) => {
    const [name = '', ...formats] = part.split(':')
    const value = (values[index] ?? '').toLowerCase()
    if (name === 'charge') return charge !== 'first' || Number(value) === 1
    // A time in another format is another text; random parts begin alike.
    const key = name === 'createdAt' ? [name, ...formats].join(':') : name
    const before = seen.get(key) ?? ''
    if (value.length > before.length) seen.set(key, value)
    return name === 'createdAt' || name === 'ulid'
      ? before === '' || before === value
      : value.startsWith(before) || before.startsWith(value)
  })
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

const dates = {
  yyyymmdd: '\\d{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])',
  yymmdd: '\\d\\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])',
} as const

function patternOf(part: string): string {
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
      return formats.includes('yyyymmdd')
        ? dates.yyyymmdd
        : formats.includes('yymmdd')
          ? dates.yymmdd
          : '\\d+'
    case 'charge':
      return '\\d+'
    default:
      return '(?!)'
  }
}
