import { figure } from '../frame/table.ts'
import type { Line } from './comparison.ts'
import { table } from './markdown.ts'
import { type Heading, placeOf } from './page.ts'

const begin = '<!-- peers: written by `npm run bench:peers` -->\n'
const end = '<!-- end of peers -->\n'

/** The page for users with its tables replaced: less of the same than the page of results has.
 *  @param page docs/performance.md */
export function withPeers(
  page: string,
  heading: Heading,
  groups: ReadonlyMap<number, readonly Line[]>,
): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from === -1 || to < from)
    throw new Error('docs/performance.md has lost the marks of the tables of peers')
  const tables = [...groups].map(([stored, lines]) => {
    const head = [`${stored.toLocaleString('en')} orders at the start`, ...columns]
    return table(head, lines.map(cellsOf))
  })
  const text = [placeOf(heading), ...tables].join('\n\n')
  return `${page.slice(0, from)}${begin}\n${text}\n\n${page.slice(to)}`
}

const columns = [
  'creates/s',
  'emulator',
  'lookups/s',
  'emulator',
  'first answer after',
  'memory after the load',
]

function cellsOf({ entry, medians, times }: Line): string[] {
  const tool = `${entry.peer.name}${entry.peer.package === null ? '' : ` ${entry.version}`}`
  if (entry.failure !== undefined) return [tool, `not measured: ${entry.failure}`]
  return [
    ...[tool, figure(medians.createsPerSecond), faster(times?.creates)],
    ...[figure(medians.lookupsPerSecond), faster(times?.lookups)],
    ...[`${figure(medians.coldStartMs)} ms`, `${figure(medians.residentMb)} MB`],
  ]
}

const faster = (times: number | undefined): string => (times === undefined ? '' : `x ${figure(times)}`)
