import { element, xmlText } from '../text/markup.ts'
import { textLines } from '../text/text-width.ts'
import { lanes, type Message, messageWords, type Sequence, type SequenceLane, timesOf } from './sequence.ts'

const laneX = { application: 98, service: 294, webhook: 490 } as const satisfies Record<SequenceLane, number>
const width = 554
const headHeight = 46
const lineHeight = 14
/** The room for words between two lanes. */
const lineWidth = 190
const fontSize = 11.5

/** Colours of the stand-alone picture. In a page, the classes replace them. */
const colours = {
  ...{ ink: '#1d2430', faint: '#5b6472', line: '#c9cfd8', paper: '#ffffff', raised: '#f3f5f8' },
  ...{ good: '#12693d', bad: '#b3261e', waiting: '#8a5a00', other: '#3c4b63' },
} as const

/** Draws a sequence as a self-contained SVG, whatever texts it contains. All colours are presentation attributes, so
 *  that a page's rules for the classes (`sequence-…`) override them.
 *  @param id the prefix of the ids in the drawing, unique in its page */
export function sequenceSvg(sequence: Sequence, id = 'sequence'): string {
  const times = timesOf(sequence)
  let y = headHeight + (sequence.left === 0 ? 0 : 24)
  const rows = sequence.messages.map((message, index) => {
    const lines = linesOf(message)
    const height = lines.length * lineHeight + 20
    y += height
    return row(message, { lines, top: y - height, time: times[index] ?? null })
  })
  const height = y + 16
  return element(
    'svg',
    {
      ...{ xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height },
      ...{ class: 'sequence', role: 'img', 'aria-labelledby': `${id}-title ${id}-desc` },
      ...{ 'font-family': 'system-ui, sans-serif', 'font-size': fontSize },
    },
    [
      element('title', { id: `${id}-title` }, [xmlText(`${sequence.title}: sequence`)]),
      element('desc', { id: `${id}-desc` }, [xmlText(summary(sequence))]),
      element('rect', { class: 'sequence-paper', width, height, fill: colours.paper }),
      ...Object.entries(laneX).map(([lane, x]) => lifeline(laneNameOf(lane), x, height)),
      ...(sequence.left === 0 ? [] : [leftOut(sequence.left)]),
      ...rows,
    ],
  )
}

const laneNameOf = (lane: string): string => Object.entries(lanes).find(([id]) => id === lane)?.[1] ?? lane

function summary({ messages, left }: Sequence): string {
  const notes = messages.filter(({ kind }) => kind === 'note').length
  const older = left === 0 ? '' : ` ${left} older ones are left out.`
  return `${messages.length - notes} messages between application, service and webhook URL, and ${notes} events of the service, in the order in which they happened.${older}`
}

function lifeline(name: string, x: number, height: number): string {
  return element('g', { class: 'sequence-lane' }, [
    line({ x1: x, x2: x, y1: 32, y2: height - 8, stroke: colours.line, 'stroke-dasharray': '4 4' }),
    element('rect', {
      ...{ x: x - 56, y: 8, width: 112, height: 24, rx: 4 },
      ...{ fill: colours.raised, stroke: colours.line },
    }),
    words(name, { x, y: 24, 'font-weight': 700, fill: colours.ink }),
  ])
}

const leftOut = (left: number): string =>
  words(`${left} older messages are left out`, {
    ...{ class: 'sequence-time', x: laneX.service, y: headHeight + 12, fill: colours.faint },
  })

/** The label of a message: its words and, for what is not normal, the beginning of its reason. */
function linesOf({ kind, text, more, tone }: Message): string[] {
  const label = textLines(text, { lines: 3, width: lineWidth })
  if (more === '' || kind === 'call' || tone === 'good') return label
  return [...label, ...textLines(more, { lines: 2, width: lineWidth })]
}

interface Place {
  readonly lines: readonly string[]
  readonly top: number
  readonly time: string | null
}

function row(message: Message, { lines, top, time }: Place): string {
  const { id, kind, tone } = message
  const bottom = top + lines.length * lineHeight + 10
  return element('g', { class: `sequence-${kind} ${tone}`, 'data-message': id }, [
    element('title', {}, [xmlText(messageWords(message))]),
    ...(time === null ? [] : [timeWords(time, kind === 'note' ? (top + bottom) / 2 + 5 : bottom)]),
    ...(kind === 'note' ? noteBox(message, lines, top) : arrow(message, lines, top, bottom)),
  ])
}

const timeWords = (time: string, y: number): string =>
  words(time, { class: 'sequence-time', x: 8, y, 'text-anchor': 'start', fill: colours.faint })

function noteBox({ from, tone }: Message, lines: readonly string[], top: number): string[] {
  const [x, height] = [laneX[from], lines.length * lineHeight + 10]
  const box = { x: x - 98, y: top + 2, width: 196, height, rx: 3 }
  return [
    element('rect', { ...box, fill: colours.raised, stroke: colours[tone] }),
    ...lines.map((one, index) =>
      words(one, { x, y: top + 4 + (index + 1) * lineHeight, fill: colours[tone] }),
    ),
  ]
}

function arrow(
  { kind, from, to, tone, lost }: Message,
  lines: readonly string[],
  top: number,
  y: number,
): string[] {
  const [start, target] = [laneX[from], laneX[to]]
  const way = target > start ? 1 : -1
  // A lost message ends with a cross, well before its lane.
  const end = lost ? target - way * 34 : target
  const dashes = kind === 'answer' ? { 'stroke-dasharray': '5 3' } : {}
  const head = lost
    ? `M${end - 5} ${y - 5}l10 10m0-10l-10 10`
    : `M${end - way * 8} ${y - 4}L${end - way} ${y}L${end - way * 8} ${y + 4}`
  return [
    line({ x1: start, x2: end, y1: y, y2: y, stroke: colours[tone], 'stroke-width': 1.5, ...dashes }),
    element('path', { d: head, fill: 'none', stroke: colours[tone], 'stroke-width': 1.8 }),
    ...lines.map((one, index) =>
      words(one, { x: (start + target) / 2, y: top + (index + 1) * lineHeight, fill: colours[tone] }),
    ),
  ]
}

const line = (attributes: Readonly<Record<string, string | number>>): string => element('line', attributes)

const words = (text: string, attributes: Readonly<Record<string, string | number>>): string =>
  element('text', { 'text-anchor': 'middle', ...attributes }, [xmlText(text)])
