import { isMapping } from '../../domain/text/objects.ts'
import { formatted, placeholder } from '../../domain/text/template.ts'
import { webhookPlaceholders } from '../../domain/webhook/payload-template.ts'
import type { Fact, Facts } from './facts.ts'
import { keyOf, leavesOf, type Path, sameJson } from './leaves.ts'

/** How well a value fits: `yes` if it is what is known, `maybe` if nothing is known. */
export type Fit = 'yes' | 'maybe' | 'no'

/** What a body has that a template does not explain. */
export interface Mismatch {
  /** Places with another value than the template gives them, or none. */
  readonly misfits: readonly string[]
  /** Places that the template does not have. */
  readonly extras: readonly string[]
}

const nothing: Mismatch = { misfits: [], extras: [] }
const isName = (name: string): name is keyof Facts => Object.hasOwn(webhookPlaceholders.values, name)

const factOf = (inner: string, facts: Facts): { fact: Fact; formats: readonly string[]; name: string } => {
  const [name = '', ...formats] = inner.split(':')
  return { fact: isName(name) ? facts[name] : { kind: 'none' }, formats, name }
}

/** Whether a leaf can be the value of a placeholder.
 *  @param inner a placeholder without its brackets: `fiatAmount:minor`
 *  @param leaf undefined if the body has none */
export function fitOf(inner: string, leaf: unknown, facts: Facts, offset: string | null): Fit {
  const { fact, formats, name } = factOf(inner, facts)
  if (fact.kind === 'open') return 'maybe'
  if (leaf === undefined) return fact.kind === 'none' || fact.orNone === true ? 'yes' : 'no'
  if (fact.kind === 'none') return 'no'
  if (fact.kind === 'is')
    return fact.values.some((value) => sameJson(writtenAs(value, formats), leaf)) ? 'yes' : 'no'
  const all = name === 'eventTimestamp' ? ['milliseconds', ...formats] : formats
  return timesOf(leaf, all, offset).some(({ from, to }) => to >= fact.from && from <= fact.to) ? 'yes' : 'no'
}

/** A value in the formats of a placeholder. */
function writtenAs(value: unknown, formats: readonly string[]): unknown {
  if (typeof value === 'string' || typeof value === 'number') return formatted(value, formats, '')
  return value
}

const offsetIn = (text: string): string | undefined => /[+-]\d\d:\d\d$/.exec(text)?.[0]

/** The times that a leaf can stand for in some formats; none if it is not written so.
 *  @param offset that of all answers; null if it is not known */
export function timesOf(
  leaf: unknown,
  named: readonly string[],
  offset: string | null,
): { from: number; to: number }[] {
  if (typeof leaf !== 'string' && typeof leaf !== 'number') return []
  const formats = named.length === 0 ? ['iso'] : named
  const text = String(leaf)
  const [main = ''] = formats
  const own = offsetIn(text) ?? '+00:00'
  if (main.startsWith('offset') && offset !== null && own !== offset) return []
  const from = readTime(text, main)
  if (Number.isNaN(from) || formatted(from, formats, own) !== leaf) return []
  return [{ from, to: from + (spans[main] ?? 0) }]
}

/** The milliseconds that a format leaves open. */
const spans: Readonly<Record<string, number>> = {
  ...{ isoSeconds: 999, offsetSeconds: 999, seconds: 999 },
  ...{ yyyymmdd: 86_399_999, yymmdd: 86_399_999 },
}

function readTime(text: string, format: string): number {
  if (format === 'seconds') return /^\d{9,11}$/.test(text) ? Number(text) * 1000 : Number.NaN
  if (format === 'milliseconds') return /^\d{12,14}$/.test(text) ? Number(text) : Number.NaN
  const day = /^(\d\d)?(\d\d)(\d\d)(\d\d)$/.exec(text)
  if (format === 'yyyymmdd' || format === 'yymmdd')
    return day === null ? Number.NaN : Date.parse(`${day[1] ?? '20'}${day[2]}-${day[3]}-${day[4]}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN
}

/** Compares a body with a template, as the emulator would fill it.
 *  @param actual undefined if the body has nothing there */
export function mismatch(
  template: unknown,
  actual: unknown,
  facts: Facts,
  offset: string | null,
  path: Path = [],
): Mismatch {
  const misfit: Mismatch = { misfits: [keyOf(path)], extras: [] }
  if (typeof template === 'string')
    return textFits(template, actual, facts, offset) === 'no' ? misfit : nothing
  if (Array.isArray(template)) {
    if (!Array.isArray(actual)) return misfit
    if (actual.length !== template.length) return misfit
    return joined(
      template.map((each, index) =>
        mismatch(each, actual[index] ?? undefined, facts, offset, [...path, index]),
      ),
    )
  }
  if (!isMapping(template)) return sameJson(template, actual) ? nothing : misfit
  const members = Object.entries(template)
  if (actual === undefined)
    return members.length === 0
      ? misfit
      : joined(members.map(([name, each]) => mismatch(each, undefined, facts, offset, [...path, name])))
  if (!isMapping(actual)) return misfit
  const fields = new Map(Object.entries(actual))
  const found = members.map(([written, each]) => {
    const name = [...fields.keys()].find((key) => textFits(written, key, facts, offset) !== 'no') ?? written
    const field = fields.get(name)
    fields.delete(name)
    return mismatch(each, field, facts, offset, [...path, name])
  })
  const extras = [...fields].flatMap(([name, field]) =>
    [...leavesOf(field).keys()].map((key) => keyOf([...path, name, ...readPath(key)])),
  )
  return joined([...found, { misfits: [], extras }])
}

function readPath(key: string): Path {
  const path: unknown = JSON.parse(key)
  return Array.isArray(path) ? path : []
}

const joined = (all: readonly Mismatch[]): Mismatch => ({
  misfits: all.flatMap(({ misfits }) => misfits),
  extras: all.flatMap(({ extras }) => extras),
})

/** Whether a leaf can be a filled text. */
export function textFits(template: string, leaf: unknown, facts: Facts, offset: string | null): Fit {
  const inners = [...template.matchAll(placeholder)].map(([, inner = '']) => inner)
  const [first] = inners
  if (first === undefined) return template === leaf ? 'yes' : 'no'
  if (template === `\${${first}}`) return fitOf(first, leaf, facts, offset)
  if (typeof leaf !== 'string') return 'no'
  const pieces = template
    .split(placeholder)
    .map((piece, index) => (index % 2 === 0 ? escaped(piece) : patternOf(piece, facts)))
  if (!new RegExp(`^${pieces.join('')}$`, 's').test(leaf)) return 'no'
  return inners.every((inner) => factOf(inner, facts).fact.kind === 'open') ? 'maybe' : 'yes'
}

function patternOf(inner: string, facts: Facts): string {
  const { fact, formats } = factOf(inner, facts)
  if (fact.kind === 'none') return ''
  if (fact.kind !== 'is') return '.*?'
  const texts = fact.values.map((value) => {
    const written = writtenAs(value, formats)
    return escaped(typeof written === 'object' ? JSON.stringify(written) : String(written))
  })
  return `(?:${[...texts, ...(fact.orNone === true ? [''] : [])].join('|')})`
}

/** A text as a pattern that finds it. */
export const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
