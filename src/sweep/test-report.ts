import { oneLine } from '../domain/text/issue-words.ts'
import type { EpochMs } from '../domain/text/time.ts'
import type { FailedTest } from './report.ts'

export interface TestReport {
  readonly tests: number
  readonly failed: readonly FailedTest[]
  /** The times of the tests; only JSON reports have them. */
  readonly spans: readonly TestSpan[]
}

/** When a test ran by the wall clock; for all tests of a file together if the report does not separate them. */
export interface TestSpan {
  readonly from: EpochMs
  readonly to: EpochMs
  readonly passed: boolean
}

/** The maximum length of a failure message. */
const mostCharacters = 300

/** Reads a test report: JUnit XML, TAP, or the JSON of vitest and jest.
 *  @returns null for another format */
export function readTestReport(text: string): TestReport | null {
  const begin = text.trimStart()
  if (begin.startsWith('<')) return junit(begin)
  if (begin.startsWith('{')) return json(begin)
  return tap(text)
}

/** Joins the meaningful lines of a failure message. */
const shortened = (message: string): string => {
  const lines = message.split(/\r?\n/).map((line) => line.trim())
  const line = oneLine(lines.filter((each) => each !== '' && !/^at /.test(each)).join(' '))
  return line.length > mostCharacters ? `${line.slice(0, mostCharacters)}…` : line
}

function junit(xml: string): TestReport | null {
  if (!/<testsuites?[\s/>]/.test(xml)) return null
  // A `testcase` without content is self-closing; otherwise it ends with its end tag.
  const cases = [...xml.matchAll(/<testcase\b((?:[^>"']|"[^"]*"|'[^']*')*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)]
  const failed = cases.flatMap(([, attributes = '', inside = '']) => {
    const failure =
      /<(?:failure|error)\b((?:[^>"']|"[^"]*"|'[^']*')*?)(?:\/>|>([\s\S]*?)<\/(?:failure|error)>)/.exec(
        inside,
      )
    if (failure === null) return []
    const [, given = '', body = ''] = failure
    const place = attribute(attributes, 'file') ?? attribute(attributes, 'classname')
    const name = attribute(attributes, 'name') ?? '(unnamed)'
    const message = attribute(given, 'message') ?? text(body)
    return [{ name: place === null ? name : `${place}: ${name}`, message: shortened(message) }]
  })
  return { tests: cases.length, failed, spans: [] }
}

function attribute(attributes: string, name: string): string | null {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes)
  return found === null ? null : text(found[1] ?? found[2] ?? '')
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Decodes the escape sequences of XML text. */
const text = (xml: string): string =>
  xml
    .replaceAll(/<!\[CDATA\[([\s\S]*?)\]\]>/g, '$1')
    .replaceAll(
      /&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi,
      (whole, hex?: string, decimal?: string, name?: string) => {
        if (name !== undefined) return entities[name] ?? whole
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole
      },
    )

/** Reads the JSON of vitest and jest, which have the same format. */
function json(content: string): TestReport | null {
  const report = parsed(content)
  const files = listIn(report, 'testResults')
  if (files === null) return null
  const tests = files.flatMap((file) =>
    (listIn(file, 'assertionResults') ?? []).map((one) => ({ file: textIn(file, 'name'), one })),
  )
  // A file that could not be loaded has no tests, only a message.
  const broken = files
    .filter(
      (file) => textIn(file, 'status') === 'failed' && (listIn(file, 'assertionResults') ?? []).length === 0,
    )
    .map((file) => ({ name: shortPath(textIn(file, 'name')), message: shortened(textIn(file, 'message')) }))
  const failed = tests
    .filter(({ one }) => textIn(one, 'status') === 'failed')
    .map(({ file, one }) => ({
      name: `${shortPath(file)}: ${textIn(one, 'fullName') || textIn(one, 'title')}`,
      message: shortened((listIn(one, 'failureMessages') ?? []).map(String).join('\n')),
    }))
  return { tests: tests.length, failed: [...failed, ...broken], spans: files.flatMap(spansOf) }
}

/** The maximum gap between two tests that counts as none. */
const slackMs = 50

/** The times of the tests in a file. Jest reports the start of each. Vitest reports the first start and the last
 *  end: if all durations fit between without a gap, the tests ran one after the other. */
function spansOf(file: unknown): TestSpan[] {
  const from = numberIn(file, 'startTime')
  const to = numberIn(file, 'endTime')
  if (from === null || to === null) return []
  const ran = (listIn(file, 'assertionResults') ?? [])
    .map((one) => ({
      passed: textIn(one, 'status') === 'passed',
      startAt: numberIn(one, 'startAt'),
      ms: numberIn(one, 'duration'),
    }))
    .filter(({ ms }) => ms !== null)
  const allMs = ran.reduce((sum, { ms }) => sum + (ms ?? 0), 0)
  const isInTurn = Math.abs(to - from - allMs) < slackMs
  if (!isInTurn && ran.some(({ startAt }) => startAt === null))
    return [{ from, to, passed: textIn(file, 'status') === 'passed' }]
  let end = from
  return ran.map(({ passed, startAt, ms }) => {
    const begin = startAt ?? end
    end = begin + (ms ?? 0)
    return { from: begin, to: end, passed }
  })
}

const shortPath = (path: string): string => path.split(/[\\/]/).slice(-2).join('/')

function parsed(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return null
  }
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

function listIn(value: unknown, name: string): readonly unknown[] | null {
  const found = memberOf(value, name)
  return Array.isArray(found) ? found : null
}

function numberIn(value: unknown, name: string): number | null {
  const found = memberOf(value, name)
  return typeof found === 'number' ? found : null
}

function textIn(value: unknown, name: string): string {
  const found = memberOf(value, name)
  return typeof found === 'string' ? found : ''
}

/** Reads the Test Anything Protocol: only the outermost lines count as tests. */
function tap(content: string): TestReport | null {
  const lines = content.split('\n')
  const results = lines.flatMap((line, at) => {
    const found = /^(not )?ok\b\s*\d*\s*-?\s*(.*?)\s*(# (?:TODO|SKIP).*)?$/i.exec(line)
    return found === null
      ? []
      : [{ at, failed: found[1] !== undefined && found[3] === undefined, name: found[2] ?? '' }]
  })
  if (results.length === 0 && !/^(TAP version|1\.\.\d+)/m.test(content)) return null
  const failed = results
    .filter((result) => result.failed)
    .map(({ at, name }) => ({ name: name || '(unnamed)', message: shortened(detailAfter(lines, at)) }))
  return { tests: results.length, failed, spans: [] }
}

/** Returns the YAML block or comments after a line of TAP. */
function detailAfter(lines: readonly string[], at: number): string {
  for (const line of lines.slice(at + 1)) {
    if (/^(not )?ok\b/.test(line)) break
    const found = /^\s*(?:error|message):\s*(.+)$/.exec(line) ?? /^#\s*(.+)$/.exec(line)
    if (found?.[1] !== undefined && found[1] !== '|-') return found[1].replaceAll(/^['"]|['"]$/g, '')
  }
  return ''
}
