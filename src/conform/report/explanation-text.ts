import type { Explanation, Shown, TimelineRow } from './explanation.ts'
import { hanging, wrapped } from './lines.ts'
import { type Palette, verdictLook } from './palette.ts'

/** How text is laid out. */
export interface TextStyle {
  /** Characters in a line; null where lines have no end. */
  readonly columns: number | null
  readonly palette: Palette
}

/** An explanation as text. Commands stand at the left edge, unbroken, to be copied. */
export function explanationText(explanation: Explanation, style: TextStyle): string {
  const { verdict, headline, facts, timeline, whose, sent, answer, commands } = explanation
  const { palette, columns } = style
  const title = (words: string) =>
    wrapped(words, columns)
      .map((line) => palette('bold', line))
      .join('\n')
  return [
    wrapped(headline, columns)
      .map((line) => palette(verdictLook[verdict], line))
      .join('\n'),
    facts.flatMap(([label, words]) => hanging(`  ${label.padEnd(16)}`, words, columns)).join('\n'),
    ...(timeline.length === 0 ? [] : [`${title(whose)}\n${timelineText(timeline, style)}`]),
    ...[sent, answer].flatMap((shown) => (shown === null ? [] : [shownText(shown, style)])),
    ...commands.map(({ label, command }) => `${title(`${label}:`)}\n${command}`),
  ].join('\n\n')
}

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
