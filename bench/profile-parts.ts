import { fileURLToPath } from 'node:url'

/** What `node --cpu-prof` writes, as far as it is read here. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }[]
  /** The node that each sample met. */
  readonly samples: readonly number[]
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[]
}

/** Microseconds that each part of the program has computed, without what it called. A part is a folder of `src`, a
 *  package, a part of Node, or a function of V8; what waits is left out.
 *  @param read gives the text of a file of the profile: a bundle, which names each file that it is made of */
export function selfTimes({ nodes, samples, timeDeltas }: CpuProfile, read: (path: string) => string) {
  const sources = new Map<string, readonly Source[]>()
  const partOf = ({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string => {
    if (url.startsWith('node:')) return nodesPart(url)
    if (url === '') return functionName || 'V8'
    const path = url.startsWith('file:') ? fileURLToPath(url) : url
    const known = sources.get(path) ?? sourcesIn(read(path))
    sources.set(path, known)
    const source = known.findLast(({ line }) => line <= lineNumber)
    return source === undefined ? path : partIn(source.name)
  }
  const parts = new Map(nodes.map(({ id, callFrame }) => [id, partOf(callFrame)]))
  const times = new Map<string, number>()
  for (const [index, id] of samples.entries()) {
    const part = parts.get(id) ?? ''
    if (part !== '(idle)') times.set(part, (times.get(part) ?? 0) + (timeDeltas[index] ?? 0))
  }
  return times
}

/** Where the text of a file begins in a bundle. */
interface Source {
  readonly line: number
  readonly name: string
}

/** esbuild says above each file which one it is. */
const sourcesIn = (bundle: string): Source[] =>
  bundle.split('\n').flatMap((text, line) => {
    const name = /^\s*\/\/ (?:[./]\S*\/)?((?:src|node_modules)\/.*)$/.exec(text)?.[1]
    return name === undefined ? [] : [{ line, name }]
  })

/** `node:internal/streams/writable` is of `node: streams`. */
function nodesPart(url: string): string {
  if (url.includes('http')) return 'node: http'
  const [, name = ''] = /^node:(?:internal\/)?([\w-]+)/.exec(url) ?? []
  return `node: ${name}`
}

/** A file of a package belongs to that, one of ours to its folder; those of the SQLite store stand for themselves. */
function partIn(name: string): string {
  const inPackage = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1]
  if (inPackage !== undefined) return inPackage
  if (name.startsWith('src/store/sqlite/')) return name
  return name.split('/').slice(0, 2).join('/')
}
