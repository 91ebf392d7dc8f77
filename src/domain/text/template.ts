import * as z from 'zod'
import { didYouMean } from './issue-words.ts'
import { inexact, isExact, nestsDeeper } from './json-text.ts'
import { isMapping } from './objects.ts'
import { type EpochMs, isoTimestamp } from './time.ts'

/** The kinds of values that a template can name. The kind decides about the formats. */
export type ValueKind = 'text' | 'number' | 'amount' | 'time' | 'json' | 'random'

/** A time, with the UTC offset of the format `offset`. */
interface Instant {
  readonly time: EpochMs
  readonly offset: string
}

/** The text of any JSON. */
interface Json {
  readonly json: string
}

/** Random characters, of which a format takes as many as it says. */
interface Random {
  readonly random: string
}

/** A number that is known only when the text is used: `fillMarks` puts it in the place of a mark.
 *  @see fillMarks */
interface Mark {
  /** Cannot occur in a value of another placeholder. */
  readonly mark: string
}

/** A value for a placeholder: a text, an amount such as `"10.00"`, a number, a time, any JSON, random characters, or a
 *  mark. */
type Value = string | number | Instant | Json | Random | Mark

/** The values of the placeholders, by name; missing ones are left out. An array holds the values of each member of a
 *  list. */
export interface TemplateValues {
  readonly [name: string]: Value | readonly TemplateValues[] | undefined
}

/** The placeholders that a template may use. */
export interface Placeholders {
  readonly values: Readonly<Record<string, ValueKind>>
  /** The lists, with the values of their members. A member is named `${list.name}`. */
  readonly lists?: Readonly<Record<string, Readonly<Record<string, ValueKind>>>>
}

type Format = (value: string | number, offset: string) => string | number

const date = (ms: string | number): Date => new Date(Number(ms))
/** The shift of an amount by two decimals, without arithmetic on fractions. */
const minorUnits = (amount: string | number): number => {
  const [whole = '', fraction = ''] = String(amount).split('.')
  return Number(whole + fraction.slice(0, 2).padEnd(2, '0'))
}

const asText: Readonly<Record<string, Format>> = { text: String }
const inOneCase: Readonly<Record<string, Format>> = {
  lower: (value) => String(value).toLowerCase(),
  upper: (value) => String(value).toUpperCase(),
}

/** The formats of each kind. A placeholder may name several, which apply one after the other. */
const formats: Readonly<Record<ValueKind, Readonly<Record<string, Format>>>> = {
  text: { ...inOneCase, ...asText },
  number: asText,
  amount: { number: Number, minor: minorUnits, ...asText },
  time: {
    iso: (ms) => date(ms).toISOString(),
    offset: (ms, offset) => isoTimestamp(Number(ms), 3, offset),
    isoSeconds: (ms) => `${date(ms).toISOString().slice(0, 19)}Z`,
    offsetSeconds: (ms, offset) => isoTimestamp(Number(ms), 0, offset),
    seconds: (ms) => Math.floor(Number(ms) / 1000),
    milliseconds: Number,
    yyyymmdd: (ms) => date(ms).toISOString().slice(0, 10).replaceAll('-', ''),
    yymmdd: (ms) => date(ms).toISOString().slice(2, 10).replaceAll('-', ''),
    ...asText,
  },
  json: asText,
  random: { ...inOneCase, ...asText },
}
const allFormats: Readonly<Record<string, Format>> = Object.assign({}, ...Object.values(formats))

/** Describes the formats of the kinds, for documents. */
export const formatWords = (kind: ValueKind): readonly string[] => Object.keys(formats[kind])

/** Fills a template of JSON for one event. A text that is a single placeholder becomes its value, which may be a
 *  number or any JSON. A member without a value is left out, and so is an object of which nothing remains. An element
 *  of a list that names members of a list of values is repeated for each of them.
 *  @returns the text of JSON; undefined if no value remains */
export function fillTemplate(template: unknown, values: TemplateValues): string | undefined {
  if (typeof template === 'string') return filledText(template, values)
  if (Array.isArray(template)) {
    const elements = template.flatMap((each) => eachOf(each, values))
    return `[${elements.map(([element, own]) => fillTemplate(element, own) ?? 'null').join(',')}]`
  }
  if (!isMapping(template)) return JSON.stringify(template)
  const members = Object.entries(template)
  const filled = members.flatMap(([name, each]) => {
    const text = fillTemplate(each, values)
    return text === undefined ? [] : `${JSON.stringify(fillText(name, values))}:${text}`
  })
  return filled.length === 0 && members.length > 0 ? undefined : `{${filled.join(',')}}`
}

/** Fills the placeholders of a text; missing values are empty. */
export function fillText(text: string, values: TemplateValues): string {
  return text.replaceAll(placeholder, (_, inner: string) => {
    const value = valueFor(inner, values)
    if (value === undefined) return ''
    return typeof value === 'object' ? value.text : String(value)
  })
}

/** Replaces the marks of a filled template by a number, as the formats of each placeholder want it. */
export function fillMarks(filled: string, mark: string, value: number): string {
  return filled.replaceAll(marks, (whole, before: string, name, place, named: string, after: string) => {
    if (name !== mark) return whole
    const number = formatted(value, named === '' ? [] : named.split(':'), '')
    return place === 'value' && typeof number === 'number' ? String(number) : `${before}${number}${after}`
  })
}

/** A mark, with the quotes of JSON around one that stands for a whole value. */
const marks = /("?)\u{E000}([^|\u{E000}]*)\|(value|text)\|([^|\u{E001}]*)\u{E001}("?)/gu

const markText = (mark: string, place: 'value' | 'text', named: readonly string[]): string =>
  `\u{E000}${mark}|${place}|${named.join(':')}\u{E001}`

/** Matches a placeholder; its only group is the name with the formats. */
export const placeholder = /\$\{([^}]*)\}/g

function filledText(text: string, values: TemplateValues): string | undefined {
  const whole = /^\$\{([^}]*)\}$/.exec(text)?.[1]
  if (whole === undefined) return JSON.stringify(fillText(text, values))
  const value = valueFor(whole, values)
  return typeof value === 'object' ? value.json : JSON.stringify(value)
}

/** A value as a whole, in JSON, and as a part of a text. */
interface Filled extends Json {
  readonly text: string
}

function valueFor(inner: string, values: TemplateValues): string | number | Filled | undefined {
  const [name = '', ...named] = inner.split(':')
  const value = Object.hasOwn(values, name) ? values[name] : undefined
  if (value === undefined || isList(value)) return undefined
  if (typeof value !== 'object') return formatted(value, named, '')
  if ('random' in value) return randomText(value, named)
  if ('mark' in value)
    return {
      json: JSON.stringify(markText(value.mark, 'value', named)),
      text: markText(value.mark, 'text', named),
    }
  if ('json' in value) return named.length === 0 ? { ...value, text: value.json } : value.json
  return formatted(value.time, named.length === 0 ? ['iso'] : named, value.offset)
}

function randomText({ random }: Random, named: readonly string[]): string | number {
  const characters = named.find(isWidth)
  const taken = characters === undefined ? random : random.slice(0, Number(characters))
  return formatted(
    taken,
    named.filter((format) => !isWidth(format)),
    '',
  )
}

/** Applies formats to a value. */
export function formatted(value: string | number, named: readonly string[], offset: string): string | number {
  return named.reduce<string | number>(
    (so, name) =>
      isWidth(name) ? String(so).padStart(Number(name), '0') : (allFormats[name]?.(so, offset) ?? so),
    value,
  )
}

const isWidth = (format: string): boolean => /^[1-9]\d?$/.test(format)
const isList = (value: Value | readonly TemplateValues[]): value is readonly TemplateValues[] =>
  Array.isArray(value)

/** The elements of a list in place of one: one for each member of the list of values that it names. */
function eachOf(element: unknown, values: TemplateValues): (readonly [unknown, TemplateValues])[] {
  const text = JSON.stringify(element)
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || !isList(value) || !text.includes(`\${${name}.`)) continue
    return value.map((member) => {
      const own = Object.entries(member).map(([each, one]) => [`${name}.${each}`, one])
      return [element, { ...values, ...Object.fromEntries(own) }]
    })
  }
  return [[element, values]]
}

const maxCharacters = 16 * 1024
const maxDepth = 64

/** Schema of a template that is JSON, or the text of JSON. */
export function jsonTemplate(known: Placeholders) {
  return z
    .union([z.string().transform(parsed), z.record(z.string(), z.unknown()), z.array(z.unknown())])
    .superRefine((template, context) => {
      for (const message of templateProblems(template, known)) context.addIssue({ code: 'custom', message })
    })
}

/** Schema of a text with placeholders, such as the value of a header. */
export function textTemplate(known: Placeholders) {
  return z
    .string()
    .min(1)
    .max(1000)
    .superRefine((text, context) => {
      for (const message of unknownIn(text, known)) context.addIssue({ code: 'custom', message })
    })
}

function templateProblems(template: unknown, known: Placeholders): string[] {
  const text = textOf(template)
  if (text === null) return ['contains itself']
  if (text.length > maxCharacters || nestsDeeper(text, maxDepth))
    return [`is larger than ${maxCharacters} characters or deeper than ${maxDepth} levels`]
  return [...(isExact(template) ? [] : [inexact]), ...unknownIn(text, known), ...misplacedIn(template, known)]
}

/** The text of JSON; null for an object that contains itself, which an alias in YAML can make. */
function textOf(template: unknown): string | null {
  try {
    return JSON.stringify(template)
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return null
    throw error
  }
}

/** The words for every placeholder that nothing fills. */
export function unknownIn(text: string, known: Placeholders): string[] {
  const kinds = kindsOf(known)
  const used = new Set([...text.matchAll(placeholder)].map(([, inner = '']) => inner))
  return [...used].flatMap((inner) => {
    const [name = '', ...named] = inner.split(':')
    const kind = kinds.get(name)
    const names = [...kinds.keys()]
    if (kind === undefined)
      return `has no value for \${${inner}}${didYouMean(name, names) || `; known names are ${names.join(', ')}`}`
    const wrong = named.find((format) => !isWidth(format) && !Object.hasOwn(formats[kind], format))
    const possible = [...formatWords(kind), 'a number of digits']
    return wrong === undefined
      ? []
      : `has an unknown format in \${${inner}}${didYouMean(wrong, possible) || `; the formats of ${name} are ${possible.join(', ')}`}`
  })
}

/** Whether a JSON value names a placeholder anywhere. */
export const hasPlaceholder = (value: unknown): boolean => /\$\{[^}]*\}/.test(JSON.stringify(value) ?? '')

/** The words for every member of a list that is named outside of a list. */
function misplacedIn(template: unknown, { lists = {} }: Placeholders): string[] {
  const outside = JSON.stringify(withoutLists(template)) ?? ''
  return Object.keys(lists)
    .filter((list) => outside.includes(`\${${list}.`))
    .map(
      (list) =>
        `names \${${list}. ...} outside of a list; it stands for one of several ${list}, as in ["\${${list}. ...}"]`,
    )
}

function withoutLists(part: unknown): unknown {
  if (Array.isArray(part)) return null
  if (!isMapping(part)) return part
  return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, withoutLists(each)]))
}

function kindsOf({ values, lists = {} }: Placeholders): Map<string, ValueKind> {
  const members = Object.entries(lists).flatMap(([list, kinds]) =>
    Object.entries(kinds).map(([name, kind]) => [`${list}.${name}`, kind] as const),
  )
  return new Map([...Object.entries(values), ...members])
}

function parsed(text: string, context: z.RefinementCtx<string>): unknown {
  if (nestsDeeper(text, maxDepth)) {
    context.addIssue({ code: 'custom', message: `is deeper than ${maxDepth} levels` })
    return z.NEVER
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof SyntaxError ? ` (${error.message})` : ''
    context.addIssue({ code: 'custom', message: `is not JSON${reason}` })
    return z.NEVER
  }
}
