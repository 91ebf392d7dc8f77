import { textLines } from '../text/text-width.ts'
import type { Message, Sequence } from './sequence.ts'
import { lanes, timesOf } from './sequence.ts'

/** Mermaid refuses texts of more than 50,000 characters. */
const mostCharacters = 45_000

const participants = { application: 'A', service: 'S', webhook: 'W' } as const

/** Writes a sequence as a Mermaid `sequenceDiagram`. If it is too long for Mermaid, older messages are left out. */
export function mermaidOf(sequence: Sequence): string {
  const head = [
    'sequenceDiagram',
    `  title ${entities(sequence.title, 1)}`,
    ...Object.entries(participants).map(([lane, id]) => `  participant ${id} as ${laneName(lane)}`),
  ]
  const times = timesOf(sequence)
  const lines = sequence.messages.map((message, index) => `  ${messageLine(message, times[index] ?? null)}`)
  let characters = 0
  const first = lines.findLastIndex((line) => {
    characters += line.length + 1
    return characters > mostCharacters
  })
  const left = sequence.left + first + 1
  const gap = left === 0 ? [] : [`  Note over A,W: ${left} older messages are left out`]
  return [...head, ...gap, ...lines.slice(first + 1), ''].join('\n')
}

const laneName = (lane: string): string => Object.entries(lanes).find(([id]) => id === lane)?.[1] ?? lane

function messageLine({ kind, from, to, text, more, lost }: Message, time: string | null): string {
  const words = entities(
    [time, text].filter((part) => part !== null).join(' '),
    more === '' || kind === 'call' ? 2 : 1,
  )
  const written = more === '' || kind === 'call' ? words : `${words}<br/>${entities(more, 2)}`
  if (kind === 'note') return `Note over ${participants[from]}: ${written}`
  const line = kind === 'call' ? '-' : '--'
  return `${participants[from]}${line}${lost ? 'x' : '>>'}${participants[to]}: ${written}`
}

/** The width of a line that a diagram stays readable with. */
const width = 340

/** Breaks a text into lines, and writes everything but letters, digits and harmless signs as entity codes. `#` begins
 *  a code, `;` and newlines end a message, `%%` and `{` begin comments and directives, and Mermaid removes the end of
 *  codes behind `style` and `classDef`. */
const entities = (text: string, lines: number): string =>
  textLines(text, { lines, width })
    .map((line) =>
      line
        .replaceAll(/[^\p{L}\p{M}\p{N} .,_/+→×…-]/gu, (character) => `#${character.codePointAt(0)};`)
        .replaceAll(
          /style|classDef/gi,
          ([first = '', ...rest]) => `#${first.codePointAt(0)};${rest.join('')}`,
        ),
    )
    .join('<br/>')
