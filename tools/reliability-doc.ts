import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { figuresText, kept, type Measured } from '../test/hard/support/figures.ts'

const target = new URL('../docs/reliability.md', import.meta.url)
const begin = '<!-- figures: written by tools/reliability-doc.ts after `npm run test:hard` -->\n'
const end = '<!-- end of figures -->\n'

/** The order in which the document tells of them. */
const areas = [
  'crash',
  'stop',
  'files',
  'disk',
  'receiver',
  'one bad receiver',
  'load',
  'burst',
  'clock',
  'waiting',
  'worlds',
  'signatures',
  'bad input',
  'scanners',
  'web',
  'model',
]

/** The document with its table of figures replaced. */
export function withFigures(document: string, measured: readonly Measured[]): string {
  const from = document.indexOf(begin)
  const to = document.indexOf(end)
  if (from === -1 || to < from) throw new Error('docs/reliability.md has lost the marks of its table')
  const rank = ({ area }: Measured) => (areas.includes(area) ? areas.indexOf(area) : areas.length)
  const rows = [...measured]
    .sort((a, b) => rank(a) - rank(b))
    .map(
      ({ area, promise, test, figures }) =>
        `| ${area} | ${promise} | \`${test}\` | ${figuresText(figures)} |\n`,
    )
  const head = '| Area | Promise | Test | Last figures |\n|---|---|---|---|\n'
  return `${document.slice(0, from)}${begin}\n${head}${rows.join('')}\n${document.slice(to)}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(target, withFigures(readFileSync(target, 'utf8'), kept()))
}
