import { createReadStream, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ticked } from '../domain/text/issue-words.ts'
import { buildEvidence, type Observed } from './evidence/build-evidence.ts'
import type { Call, Evidence, Secrets } from './evidence/evidence.ts'
import { parsedJson } from './evidence/parsed-json.ts'
import { isCall, isStray, readCall } from './evidence/read-call.ts'
import { namesIn } from './evidence/seen-webhooks.ts'
import type { Exchange } from './traffic/exchange.ts'
import { Lines, ListElements } from './traffic/list-elements.ts'
import { readRecord } from './traffic/read-record.ts'

/** A capture that cannot be read, or has no traffic of the service. */
export class CaptureUnusable extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CaptureUnusable'
  }
}

/** What was read from one file. */
export interface ReadFile {
  readonly file: string
  /** The kind of capture that the file turned out to be, such as `HAR`. */
  readonly format: string
  /** Calls of the service, and attempts of webhooks. */
  readonly calls: number
  readonly webhooks: number
  /** What is wrong or odd about it, in sentences without a full stop; empty for nothing. */
  readonly notes: readonly string[]
}

/** Everything that was read. */
export interface ReadCaptures {
  readonly files: readonly ReadFile[]
  readonly evidence: Evidence
  /** Sentences about all files together, such as clocks that disagree. */
  readonly notes: readonly string[]
}

/** Options of `readCaptures`. */
export interface ReadOptions {
  readonly secrets?: Partial<Secrets>
  /** Reads the traffic of one account only. */
  readonly clientId?: string | undefined
  /** The most characters of traffic to keep in memory; for tests. */
  readonly mostCharacters?: number
}

/** About 100 MB in memory with everything around it. */
const usualCharacters = 48 * 1024 * 1024

/** Reads captures: files, or folders of files. Each file is read in a stream; only traffic of the service stays in
 *  memory, up to a bound, and what lies beyond it is said.
 *  @throws CaptureUnusable */
export async function readCaptures(
  paths: readonly string[],
  options: ReadOptions = {},
): Promise<ReadCaptures> {
  const buffer = new TrafficBuffer(options.mostCharacters ?? usualCharacters)
  const files: FileReading[] = []
  for (const file of filesOf(paths)) files.push(await readFile(file, buffer))
  const secrets = { apiSecret: null, webhookSecret: null, ...options.secrets }
  const observed = ofAccount(buffer.observed, options.clientId)
  const { evidence, foreign, notes } = buildEvidence(observed, secrets, buffer.completeUntil)
  const read = files.map((file) =>
    summaryOf(file, evidence, (foreign.get(file.file) ?? 0) + (buffer.foreign.get(file.file) ?? 0)),
  )
  const isOfOthers = observed.length < buffer.observed.length && evidence.clientIds.length === 0
  if (isOfOthers || evidence.calls.length + evidence.webhooks.length === 0)
    throw new CaptureUnusable(nothingFound(read, options.clientId))
  return {
    files: read,
    evidence,
    notes: [...notes, ...buffer.notes(), ...accounts(evidence, options.clientId)],
  }
}

function nothingFound(files: readonly ReadFile[], clientId: string | undefined): string {
  const each = files.map(({ file, notes }) => `${file}${notes.length === 0 ? '' : `: ${notes.join('; ')}`}`)
  const whose = clientId === undefined ? '' : ` of the account ${ticked(clientId)}`
  return `no traffic of the Payment Order Service${whose} in the capture (${each.join(' · ')}); it needs calls to /v1/client/..., or webhooks`
}

function accounts({ clientIds }: Evidence, clientId: string | undefined): string[] {
  if (clientIds.length < 2 || clientId !== undefined) return []
  return [
    `${clientIds.length} accounts: ${clientIds.slice(0, 5).map(ticked).join(', ')}; if their settings differ, \`--client\` chooses one`,
  ]
}

/** The traffic of one account: its calls, and everything that names no other account. */
function ofAccount(observed: readonly Observed[], clientId: string | undefined): readonly Observed[] {
  if (clientId === undefined) return observed
  const calls = observed.flatMap(({ exchange, direction }) =>
    direction === 'webhook' ? [] : readCall(exchange),
  )
  const isOther = (call: Call) => call.clientId !== null && call.clientId !== clientId
  const own = namesIn(calls.filter((call) => !isOther(call)))
  const others = namesIn(calls.filter(isOther))
  return observed.filter(({ exchange, direction }) => {
    const [call] = direction === 'webhook' ? [] : readCall(exchange)
    if (call !== undefined) return !isOther(call)
    return own.areIn(exchange) || !others.areIn(exchange)
  })
}

/** The files of some paths, each once: what is read twice would count as two observations. */
function filesOf(paths: readonly string[]): Iterable<string> {
  const files = new Map<string, string>()
  for (const file of paths.flatMap(filesIn)) if (!files.has(resolve(file))) files.set(resolve(file), file)
  return files.values()
}

/** The files of a path; of a folder, all but hidden ones, which editors and desktops leave behind. */
function filesIn(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path]
    const names = readdirSync(path, { recursive: true, withFileTypes: true })
    const files = names.flatMap((entry) => {
      const file = join(entry.parentPath, entry.name)
      if (entry.name.startsWith('.')) return []
      const isFile = entry.isFile() || (entry.isSymbolicLink() && statSync(file).isFile())
      return isFile ? [file] : []
    })
    if (files.length === 0) throw new CaptureUnusable(`the folder ${ticked(path)} has no files`)
    return files.sort()
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw unreadable(path, error)
    throw error
  }
}

const unreadable = (file: string, error: Error): CaptureUnusable =>
  new CaptureUnusable(`cannot read ${ticked(file)}: ${error.message}`)

/** What one file had, before calls and webhooks are told apart. */
interface FileReading {
  readonly file: string
  readonly formats: ReadonlySet<string>
  readonly notes: readonly string[]
}

/** The lists of all kinds of captures. */
const lists = ['log.entries', 'items', 'requests', 'orders', 'deliveries', '']

async function readFile(file: string, buffer: TrafficBuffer): Promise<FileReading> {
  const formats = new Set<string>()
  const wrong: string[] = []
  let wrongs = 0
  let bodiless = 0
  let reader: ListElements | Lines | null = null
  const take = ({ n, text }: { n: number; text: string }) => {
    const place = `${reader instanceof Lines ? 'line' : 'entry'} ${n}`
    const json = parsedJson(text)
    const record = json === undefined ? 'is not JSON' : readRecord(json, { file, place })
    if (typeof record === 'string') {
      wrongs++
      if (wrong.length < 3) wrong.push(`${place} ${record}`)
    } else if (record !== null) {
      formats.add(record.format)
      for (const observed of record.exchanges) {
        if (isCall(observed.exchange) && observed.exchange.response === null) bodiless++
        buffer.add(observed)
      }
    }
  }
  try {
    for await (const chunk of chunksOf(file)) {
      reader ??= readerFor(chunk, file)
      for (const element of reader.read(chunk)) take(element)
    }
    if (reader instanceof Lines) for (const element of reader.rest()) take(element)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    // What was read before the file broke off is still good.
    if (reader === null) throw unreadable(file, error)
    wrong.push(`cannot be read to its end: ${error.message}`)
  }
  const { isCut, tooLarge } = reader?.end() ?? { isCut: false, tooLarge: 0 }
  return {
    file,
    formats,
    notes: [
      ...wrong,
      ...(wrongs > 3 ? [`${wrongs - 3} more like these`] : []),
      ...(isCut ? ['is cut off before its end; what comes before was read'] : []),
      ...(tooLarge > 0 ? [`left out, because they are larger than 16 MB: ${tooLarge}`] : []),
      ...(bodiless > 0
        ? [`calls without an answer body: ${bodiless}; record with bodies to learn more`]
        : []),
    ],
  }
}

/** How much of a file tells its format. */
const startBytes = 4096

/** The bytes of a file, decompressed if it is a gzip file. The file may be a pipe, which can be read only once. */
async function* chunksOf(file: string): AsyncGenerator<Buffer> {
  const bytes = withStart(createReadStream(file, { highWaterMark: 256 * 1024 }))
  const { value: start } = await bytes.next()
  if (start === undefined) return
  const all = joined(start, bytes)
  if (!start.subarray(0, 2).equals(Buffer.from([0x1f, 0x8b]))) return yield* all
  const unzip = createGunzip()
  yield* withStart(
    Readable.from(all)
      .on('error', (error) => unzip.destroy(error))
      .pipe(unzip),
  )
}

async function* joined(start: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield start
  yield* rest
}

/** The chunks of a stream. The first one is long enough to tell the format, however little a pipe gives at a time. */
async function* withStart(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, undefined> {
  let start: Buffer | null = Buffer.alloc(0)
  try {
    for await (const chunk of stream) {
      if (start === null) yield Buffer.from(chunk)
      else {
        start = Buffer.concat([start, chunk])
        if (start.length < startBytes) continue
        yield start
        start = null
      }
    }
  } catch (error) {
    if (start !== null && start.length > 0) yield start
    throw error
  }
  if (start !== null && start.length > 0) yield start
}

/** Chooses the reader by the beginning of a file. */
function readerFor(chunk: Buffer, file: string): ListElements | Lines {
  if (chunk.length >= 2 && (chunk.readUInt16BE(0) === 0xfffe || chunk.readUInt16BE(0) === 0xfeff))
    throw new CaptureUnusable(`${ticked(file)} is UTF-16; save it as UTF-8`)
  const start = chunk
    .subarray(0, startBytes)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()
  const isLines = /^\{.*\}\s*\n\s*\{/s.test(start) && !/^\{\s*"(log|items|format)"\s*:/.test(start)
  if (start.startsWith('[') || /^\{\s*"(log|items|format)"\s*:/.test(start)) return new ListElements(lists)
  if (isLines || start.startsWith('{')) return new Lines()
  throw new CaptureUnusable(
    `${ticked(file)} is no capture: expected a HAR, JSON lines, a request log or a snapshot of the emulator, not text that begins with ${ticked(start.slice(0, 20))}`,
  )
}

function summaryOf({ file, formats, notes }: FileReading, evidence: Evidence, foreign: number): ReadFile {
  const isHere = ({ source }: Exchange) => source.file === file
  return {
    file,
    format: [...formats].join(' and ') || 'nothing known',
    calls: [...evidence.calls, ...evidence.strays, ...evidence.tokenCalls].filter(isHere).length,
    webhooks: evidence.webhooks.flatMap(({ attempts }) => attempts).filter(isHere).length,
    notes: [
      ...notes,
      ...(foreign > 0 ? [`ignored, because they are calls of other services: ${foreign}`] : []),
    ],
  }
}

/** The traffic that stays in memory. Beyond a bound, further traffic is only counted. */
class TrafficBuffer {
  readonly observed: Observed[] = []
  /** The number of exchanges of other services, by file. */
  readonly foreign = new Map<string, number>()
  /** The time of the earliest exchange that was left out; null if none was. */
  completeUntil: number | null = null
  readonly #most: number
  /** Characters of calls, of webhooks and of what may be webhooks. */
  readonly #used = { call: 0, other: 0 }
  #leftOut = 0

  constructor(most: number) {
    this.#most = most
  }

  add(observed: Observed): void {
    const { exchange, direction } = observed
    const isOfService = isCall(exchange) || isStray(exchange)
    const kind = direction !== 'webhook' && isOfService ? 'call' : 'other'
    // Only POSTs are webhooks and token calls; a browser's capture is full of other things.
    if (kind === 'other' && direction !== 'webhook' && exchange.method !== 'POST') {
      const { file } = exchange.source
      this.foreign.set(file, (this.foreign.get(file) ?? 0) + 1)
      return
    }
    const size = sizeOf(exchange)
    if (this.#used[kind] + size > this.#most / 2) {
      this.#leftOut++
      this.completeUntil = Math.min(this.completeUntil ?? Number.POSITIVE_INFINITY, exchange.at)
      return
    }
    this.#used[kind] += size
    this.observed.push(observed)
  }

  notes(): string[] {
    if (this.#leftOut === 0) return []
    return [
      `${this.#leftOut} exchanges did not fit into memory and were left out; learn from a part of the capture`,
    ]
  }
}

/** About the characters of an exchange. A browser's cookies may be longer than all else. */
function sizeOf({ path, query, body, response, headers, responseHeaders }: Exchange): number {
  const fields = [...Object.values(headers), ...Object.values(responseHeaders), ...query.values()]
  return [path, body ?? '', response ?? '', ...fields].reduce((sum, text) => sum + text.length, 300)
}
