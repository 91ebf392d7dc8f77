import { SourceMap, type SourceMapPayload } from 'node:module'
import { fileURLToPath } from 'node:url'

/** What `node --cpu-prof` writes, as far as it is read here. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: CallFrame
  }[]
  /** The node that each sample met. */
  readonly samples: readonly number[]
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[]
}

interface CallFrame {
  readonly functionName: string
  readonly url: string
  /** From 0, as `columnNumber`. */
  readonly lineNumber: number
  readonly columnNumber: number
}

/** Microseconds that each part of the program has computed, without what it called. A part is a folder of `src`, a
 *  package, a part of Node, or a function of V8; what waits is left out.
 *  @param mapOf gives the source map of a file of the profile; null if it has none */
export function selfTimes(
  { nodes, samples, timeDeltas }: CpuProfile,
  mapOf: (path: string) => SourceMapPayload | null,
) {
  const maps = new Map<string, SourceMap | null>()
  const partOf = ({ functionName, url, lineNumber, columnNumber }: CallFrame): string => {
    if (url.startsWith('node:')) return nodesPart(url)
    if (url === '') return functionName || 'V8'
    const path = url.startsWith('file:') ? fileURLToPath(url) : url
    const map = maps.has(path) ? maps.get(path) : sourceMap(mapOf(path))
    maps.set(path, map ?? null)
    const entry = map?.findEntry(lineNumber, columnNumber)
    const name = entry !== undefined && 'originalSource' in entry ? nameIn(entry.originalSource) : undefined
    return name === undefined ? path : partIn(name)
  }
  const parts = new Map(nodes.map(({ id, callFrame }) => [id, partOf(callFrame)]))
  const times = new Map<string, number>()
  for (const [index, id] of samples.entries()) {
    const part = parts.get(id) ?? ''
    if (part !== '(idle)') times.set(part, (times.get(part) ?? 0) + (timeDeltas[index] ?? 0))
  }
  return times
}

const sourceMap = (payload: SourceMapPayload | null) => (payload === null ? null : new SourceMap(payload))

/** A source as the checkout or a package names it. */
const nameIn = (source: string): string | undefined => /(?:^|\/)((?:src|node_modules)\/.*)$/.exec(source)?.[1]

/** `node:internal/streams/writable` is of `node: streams`. */
function nodesPart(url: string): string {
  if (url.includes('http')) return 'node: http'
  const [, name = ''] = /^node:(?:internal\/)?([\w-]+)/.exec(url) ?? []
  return `node: ${name}`
}

/** A file of a package belongs to that, one of ours to its folder; those of the SQLite store stand for themselves. */
function partIn(name: string): string {
  const inPackage = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1]
  // Its own source maps put its sources one folder too high.
  if (inPackage === 'src') return 'drizzle-orm'
  if (inPackage !== undefined) return inPackage
  if (name.startsWith('src/store/sqlite/')) return name
  return name.split('/').slice(0, 2).join('/')
}
