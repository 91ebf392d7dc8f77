import { styleText } from 'node:util'
import { oneLine } from '../../domain/text/issue-words.ts'
import { markdownText } from '../../domain/text/markdown.ts'
import { element, xmlText } from '../../domain/text/markup.ts'
import type { CheckedSetting } from '../drift.ts'
import type { FindingState } from '../elimination/finding.ts'
import type { ReadFile } from '../read-captures.ts'
import {
  type DriftReport,
  type LearnReport,
  type ReportedRest,
  type ReportedSetting,
  reasonOf,
} from './report.ts'

type Look = Parameters<typeof styleText>[0]

const looks: Readonly<Record<FindingState | CheckedSetting['state'], Look>> = {
  known: 'green',
  likely: 'yellow',
  contradictory: 'yellow',
  unknown: 'dim',
  contradicted: ['bold', 'red'],
  confirmed: 'green',
  'not seen': 'dim',
}

/** The longest line of a table, in characters. */
const width = 200

/** Formats the report of `learn` for a terminal.
 *  @param written the settings file, if one was written */
export function learnText(report: LearnReport, written: string | null, colours: boolean): string {
  const { settings, unexplained, counts, notes, files } = report
  const order: readonly FindingState[] = ['known', 'likely', 'contradictory', 'unknown']
  const sorted = settings.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
  const rows = sorted.map((one): Row => ({ name: one.setting, ...cellOf(one), look: looks[one.state] }))
  const rest = unexplained.map(
    (one): Row => ({ name: 'not in the emulator', value: '', words: restWords(one), look: 'yellow' }),
  )
  const all = settings.length
  const left = all - counts.known
  const file =
    written === null
      ? 'nothing was written: --out names the settings file'
      : `written to ${written} (payment-order-emulator --settings ${written})`
  const likely = counts.likely === 0 ? '' : `, of which ${counts.likely} likely`
  const torn = counts.contradictory === 0 ? '' : `, ${counts.contradictory} contradictory`
  return [
    ...files.map(fileLine),
    ...notes.map((note) => `note: ${oneLine(note, 1000)}`),
    '',
    ...table(
      [{ name: 'settings', value: 'value', words: 'evidence', look: 'bold' }, ...rows, ...rest],
      colours,
    ),
    '',
    `${counts.known} of ${all} settings known, ${left} unknown${likely}${torn} · ${file}`,
  ].join('\n')
}

function cellOf(one: ReportedSetting): Pick<Row, 'value' | 'words'> {
  if (one.state === 'known') return { value: valueText(one.value), words: one.evidence }
  if (one.state === 'likely') return { value: `${valueText(one.value)} (likely)`, words: reasonOf(one) }
  return { value: one.state, words: reasonOf(one) }
}

/** A value on one line. */
const valueText = (value: unknown): string =>
  value === undefined ? 'unknown' : typeof value === 'string' ? value : JSON.stringify(value)

function restWords({ what, count, of, example, place, remedy }: ReportedRest): string {
  const how = remedy === null ? '' : `; ${remedy}`
  return `${what}: ${count}${of === null ? ' times' : ` of ${of}`}, such as ${example} (${place})${how}`
}

const fileLine = ({ file, format, calls, webhooks, notes }: ReadFile): string =>
  [
    `${file}: ${format}, ${calls} calls, ${webhooks} webhook attempts`,
    ...notes.map((note) => oneLine(note, 400)),
  ].join('; ')

interface Row {
  readonly name: string
  readonly value: string
  readonly words: string
  readonly look: Look
}

function table(rows: readonly Row[], colours: boolean): string[] {
  const names = Math.max(...rows.map(({ name }) => name.length)) + 2
  const values = Math.min(32, Math.max(...rows.map(({ value }) => value.length))) + 2
  return rows.map(({ name, value, words, look }) => {
    const short = oneLine(value, 32).padEnd(values)
    const shown = colours ? styleText(look, short, { validateStream: false }) : short
    return `${name.padEnd(names)}${shown}${oneLine(words, width)}`.trimEnd()
  })
}

/** Formats the report of `drift` for a terminal. */
export function driftText(report: DriftReport, colours: boolean): string {
  const order: readonly CheckedSetting['state'][] = ['contradicted', 'confirmed', 'not seen']
  const rows = report.settings
    .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
    .map(
      (one): Row => ({
        name: one.setting,
        value: one.state,
        words: changeWords(one),
        look: looks[one.state],
      }),
    )
  const rest = report.fresh.map(
    (one): Row => ({ name: 'new', value: '', words: restWords(one), look: 'yellow' }),
  )
  return [
    ...report.files.map(fileLine),
    ...report.notes.map((note) => `note: ${oneLine(note, 1000)}`),
    '',
    ...(rows.length + rest.length === 0 ? [] : table([...rows, ...rest], colours)),
    '',
    driftSummary(report),
  ].join('\n')
}

function changeWords({ state, value, now, evidence, times }: CheckedSetting): string {
  if (state !== 'contradicted') return evidence
  const change =
    now === undefined ? `no longer ${valueText(value)}` : `was ${valueText(value)}, is now ${valueText(now)}`
  return `${change} · ${times === 1 ? 'once' : `${times} times`}: ${evidence}`
}

const driftSummary = ({ counts, settings, fresh }: DriftReport): string =>
  `${counts.contradicted} of ${settings.length} settings contradicted, ${counts.confirmed} confirmed, ${counts['not seen']} not seen` +
  (fresh.length === 0
    ? ''
    : `, ${fresh.length} new ${fresh.length === 1 ? 'thing' : 'things'} that no setting can say`)

/** Formats the report of `drift` as Markdown, for the summary of a CI job. */
export function driftMarkdown(report: DriftReport): string {
  const changed = report.settings.filter(({ state }) => state === 'contradicted')
  const rows = changed.map(
    (one) =>
      `| \`${one.setting}\` | ${cell(valueText(one.value))} | ${cell(valueText(one.now))} | ${cell(one.evidence)} |`,
  )
  const fresh = report.fresh.map((one) => `* New: ${markdownText(restWords(one))}`)
  return [
    '### Drift of the payment provider',
    '',
    `${driftSummary(report)}.`,
    ...(rows.length === 0
      ? []
      : ['', '| Setting | In the file | Now | Seen |', '|---|---|---|---|', ...rows]),
    ...(fresh.length === 0 ? [] : ['', ...fresh]),
    '',
  ].join('\n')
}

const cell = (text: string): string => markdownText(oneLine(text, 300))

/** Formats the report of `drift` as JUnit XML: a test for each setting of the file. */
export function driftJunit(report: DriftReport): string {
  const { counts, settings } = report
  const totals = {
    tests: settings.length,
    failures: counts.contradicted,
    errors: 0,
    skipped: counts['not seen'],
  }
  const cases = settings.map((one) => {
    const { setting, state, evidence } = one
    const words = changeWords(one)
    const inside =
      state === 'contradicted'
        ? [element('failure', { type: 'contradicted', message: oneLine(words, 1000) }, [xmlText(words)])]
        : state === 'not seen'
          ? [element('skipped', { message: oneLine(evidence, 1000) })]
          : []
    return element('testcase', { classname: 'drift', name: setting }, inside)
  })
  const suite = element('testsuite', { name: 'drift', ...totals }, cases)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name: 'payment-order-emulator drift' }, [suite])}\n`
}
