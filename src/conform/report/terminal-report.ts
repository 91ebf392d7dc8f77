import type { CaseResult, ConformReport, Verdict } from '../report.ts'
import type { ConformOptions } from '../run/conformance.ts'
import {
  commandHints,
  commandHintsTitle,
  type Explanation,
  explanationOf,
  type Shown,
  type TimelineRow,
} from './explanation.ts'
import { dressed, hanging, plainLine, problemsText, verdictLook, wrapped } from './lines.ts'
import { ProgressLine, type ProgressPlace } from './progress-line.ts'
import {
  countWords,
  inOrder,
  littleSeen,
  nextStepOf,
  problemHeadline,
  remarkOn,
  secondsOf,
  summaryOf,
} from './summary.ts'
import { painter, plainStyle, type TerminalStyle, type TextStyle, textStyle } from './terminal-style.ts'

/** Shows the progress of a run: pass its two functions to `conform`, and call `end` before writing the report. */
export class Progress implements Required<Pick<ConformOptions, 'onCase' | 'onResult'>> {
  readonly #place: ProgressPlace
  readonly #line: ProgressLine
  readonly #counts: Record<Verdict, number> = { PASS: 0, FAIL: 0, WARN: 0, 'NOT-SEEN': 0 }

  constructor(place: ProgressPlace) {
    this.#place = place
    this.#line = new ProgressLine(place)
    this.#line.overwrite('checking the configuration')
  }

  /** Shows that a case has begun. */
  readonly onCase: NonNullable<ConformOptions['onCase']> = ({ id, title, n, of }) => {
    const place = `${String(n).padStart(String(of).length)}/${of}`
    const words = [place, countWords(this.#counts), `${id} ${title}`]
    this.#line.overwrite(words.filter((word) => word !== '').join('  '))
  }

  /** Shows that a case has ended. */
  readonly onResult = ({ id, verdict, title, ms }: CaseResult): void => {
    this.#counts[verdict] += 1
    if (this.#place.interactive) return
    const word = painter(this.#place.colours)(verdictLook[verdict], verdict.padEnd(8))
    this.#place.write(`${id}  ${word}  ${title} (${secondsOf(ms)})\n`)
  }

  /** Erases the progress line. */
  end(): void {
    this.#line.end()
  }
}

/** The maximum length of a body that the terminal report shows. */
const bodyCharacters = 2_000

/** Formats the report for a terminal: a row for each case, an explanation of each failure, and a summary. */
export function terminalReport(report: ConformReport, terminal: TerminalStyle): string {
  const style = textStyle(terminal)
  const cases = inOrder(report.cases)
  const shown = cases.filter((result) => isExplained(result, cases))
  return [
    problemsText(problemHeadline(report), report.problems, style),
    cases.map((result) => rowText(result, style)).join('\n'),
    ...shown.map((result) => explained(result, style)),
    hintsText(shown, style),
    closing(report, style),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function rowText(result: CaseResult, { columns, palette }: TextStyle): string {
  const { id, level, verdict, title } = result
  const before = `${id}  ${level.padEnd(6)}  `
  const margin = ' '.repeat(before.length + 'NOT-SEEN  '.length)
  const [first = '', ...more] = hanging(margin, title, columns)
  const word = palette(verdictLook[verdict], verdict.padEnd(8))
  const remark = verdict === 'PASS' ? [] : hanging(margin, plainLine(remarkOn(result)), columns)
  return [
    `${before}${word}  ${first.trimStart()}`,
    ...more,
    ...remark.map((line) => palette('dim', line)),
  ].join('\n')
}

/** Whether a case is explained: failures, and any case that runs alone. */
const isExplained = ({ verdict }: CaseResult, cases: readonly CaseResult[]): boolean =>
  verdict === 'FAIL' || cases.length === 1

function explained(result: CaseResult, style: TextStyle): string {
  if (result.finding === null) return ''
  return explanationText(explanationOf(result, result.finding, bodyCharacters), style)
}

/** Explains once how to use the commands that stand with each finding. */
function hintsText(cases: readonly CaseResult[], { columns, palette }: TextStyle): string {
  const hints = commandHints(cases.flatMap(({ finding }) => finding ?? []))
  if (hints.length === 0) return ''
  const lines = hints.flatMap(({ label, words }) => hanging('  ', `${label}: ${words}`, columns))
  return [palette('bold', commandHintsTitle), ...lines].join('\n')
}

/** Explains the commands of a report in text; empty if it has none that need it. */
export const hintsInText = (cases: readonly CaseResult[]): string => hintsText(cases, plainStyle)

function closing(report: ConformReport, style: TextStyle): string {
  const nextStep = nextStepOf(report.cases)
  const colour = littleSeen(report) === null ? 'green' : 'yellow'
  return [
    dressed(['bold', report.ok ? colour : 'red'], summaryOf(report), style),
    ...(nextStep === null ? [] : wrapped(nextStep, style.columns)),
    ...warningHint(report.cases),
  ].join('\n')
}

/** Builds the hint how to see a warning explained. */
function warningHint(cases: readonly CaseResult[]): string[] {
  const [warning] = inOrder(cases).filter(({ verdict }) => verdict === 'WARN')
  if (warning?.finding == null || cases.length === 1) return []
  return ['To see a warning in full, run:', warning.finding.repeat]
}

/** Formats an explanation. Commands begin at the left edge and are not wrapped, so that they can be copied. */
function explanationText(explanation: Explanation, style: TextStyle): string {
  const { verdict, headline, facts, timeline, whose, sent, answer, commands } = explanation
  const title = (words: string) => dressed('bold', words, style)
  return [
    dressed(verdictLook[verdict], headline, style),
    factsText(facts, style),
    ...(timeline.length === 0 ? [] : [`${title(whose)}\n${timelineText(timeline, style)}`]),
    ...[sent, answer].flatMap((shown) => (shown === null ? [] : [shownText(shown, style)])),
    ...commands.map(({ label, command }) => `${title(`${label}:`)}\n${command}`),
  ].join('\n\n')
}

/** Formats facts, each after its label. */
export const factsText = (facts: readonly (readonly [string, string])[], { columns }: TextStyle): string =>
  facts.flatMap(([label, words]) => hanging(`  ${label.padEnd(16)}`, words, columns)).join('\n')

function timelineText(rows: readonly TimelineRow[], { columns, palette }: TextStyle): string {
  const head = { clock: 'clock', wall: 'wall s', who: 'who', what: 'what' }
  const widthOf = (member: keyof TimelineRow) => Math.max(...[head, ...rows].map((row) => row[member].length))
  const [clock, wall, who] = [widthOf('clock'), widthOf('wall'), widthOf('who')]
  return [head, ...rows]
    .flatMap((row, n) => {
      const before = `  ${row.clock.padStart(clock)}  ${row.wall.padStart(wall)}  ${row.who.padEnd(who)}  `
      const lines = hanging(before, row.what, columns)
      return n === 0 ? lines.map((line) => palette('dim', line)) : lines
    })
    .join('\n')
}

function shownText({ label, headline, headers, body, hint }: Shown, { palette }: TextStyle): string {
  return [
    palette('bold', label),
    ...[headline, ...headers].map((line) => `  ${line}`),
    ...(body.length === 0 ? [] : ['', ...body.map((line) => `  ${line}`)]),
    ...(hint === '' ? [] : [palette('dim', `  (${hint})`)]),
  ].join('\n')
}

/** Formats a verdict with its explanation for a message or file, without colours and line breaks.
 *  @param bodyCharacters maximum length of a shown body */
export function explainedInText(result: CaseResult, bodyCharacters = 2_000): string {
  const { id, title, note, finding } = result
  if (finding === null) return [`${id} ${title}`, note].filter((part) => part !== null).join(': ')
  return explanationText(explanationOf(result, finding, bodyCharacters), plainStyle)
}
