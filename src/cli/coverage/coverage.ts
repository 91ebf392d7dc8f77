import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { coverage as coverageShape } from '../../control/shapes/coverage.ts'
import { type CoverageReport, coverageReport } from '../../domain/coverage/report.ts'
import { type Met, sections } from '../../domain/coverage/seen-order.ts'
import { CliError } from '../cli-error.ts'
import { controlCall, nobodyAnswers, notAnEmulator, Refused, Unreachable } from '../control-call.ts'
import { controlAccess } from '../emulator-url.ts'
import { makeWritable, writeResult } from '../output-files.ts'
import type { Environment, Terminal } from '../terminal.ts'
import { htmlPage } from './html-page.tsx'
import { markdownText, terminalText } from './text-reports.ts'

const line = z.object({ section: z.enum(sections), name: z.string(), count: z.int().nonnegative() })

/** Merges the coverage files that the emulators of a test suite have written into a folder.
 *  @throws CliError */
export function metIn(folder: string): Met[] {
  const names = attempt(folder, () => readdirSync(folder)).filter((name) => name.endsWith('.jsonl'))
  return names.flatMap((name) => {
    const file = join(folder, name)
    return linesOf(
      attempt(file, () => readFileSync(file, 'utf8')),
      file,
    )
  })
}

/** Parses a coverage file. An unfinished line was written by a killed process, and is ignored. */
function linesOf(text: string, file: string): Met[] {
  const lines = text.split('\n').slice(0, -1)
  return lines.map((each, index) => {
    const read = line.safeParse(jsonIn(each))
    if (read.success) return read.data
    throw new CliError(
      2,
      `error: ${JSON.stringify(file)}: line ${index + 1} is not coverage data; remove the file`,
    )
  })
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function attempt<T>(path: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CliError(2, `error: ${JSON.stringify(path)} cannot be read: ${reason}`)
  }
}

/** Runs `coverage`: shows what the tests covered. Exit code 1 if that is below the minimum.
 *  @throws CliError */
export async function coverage(
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<number> {
  const minimum = minimumIn(flags.coverageMin)
  const files = { html: fileIn(flags.html), summary: fileIn(flags.summary) }
  for (const file of Object.values(files)) if (file !== null) makeWritable(file)
  const report = await reportFor(flags, terminal.env)
  terminal.out(flags.json === true ? JSON.stringify(report) : terminalText(report, terminal.colours))
  writeReports(report, files)
  return isEnough(report, minimum, terminal) ? 0 : 1
}

/** The report files that `coverage` writes; null for those it does not write. */
export interface ReportFiles {
  readonly html: string | null
  /** The file to which a Markdown report is appended, as CI summaries want. */
  readonly summary: string | null
}

/** Reads the value of a flag that names a file. */
export const fileIn = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Writes the report files.
 *  @throws CliError */
export function writeReports(report: CoverageReport, { html, summary }: ReportFiles): void {
  if (html !== null) writeResult(html, htmlPage(report))
  if (summary !== null) appendFileSync(summary, markdownText(report))
}

async function reportFor(
  flags: Readonly<Record<string, unknown>>,
  env: Environment,
): Promise<CoverageReport> {
  const { dir, url, client } = flags
  if (typeof dir !== 'string') return asked(flags, env)
  if (url !== undefined || client !== undefined)
    throw new CliError(
      2,
      'error: `--dir` reads files and asks no emulator; use it without `--url` and `--client`',
    )
  return coverageReport(metIn(dir))
}

/** Reads the coverage of a running emulator.
 *  @throws CliError */
async function asked(flags: Readonly<Record<string, unknown>>, env: Environment): Promise<CoverageReport> {
  const access = controlAccess(flags, env)
  const query = typeof flags.client === 'string' ? `?${new URLSearchParams({ clientId: flags.client })}` : ''
  const answer = await controlCall(access, 'GET', `/coverage${query}`).catch((error: unknown) => {
    if (error instanceof Unreachable) throw nobodyAnswers(access.url, error)
    if (error instanceof Refused)
      throw new CliError(2, `error: ${access.url} rejects the call: ${error.message}`)
    throw error
  })
  const read = coverageShape.safeParse(answer)
  if (read.success) return read.data
  throw notAnEmulator(access.url, 200)
}

/** Reads `--coverage-min`; null without it.
 *  @throws CliError */
export function minimumIn(value: unknown): number | null {
  if (value === undefined) return null
  const percent = typeof value === 'string' && /^\d{1,3}(\.\d+)?$/.test(value) ? Number(value) : NaN
  if (percent >= 0 && percent <= 100) return percent
  throw new CliError(
    2,
    `error: --coverage-min: expected a number from 0 to 100, not ${JSON.stringify(value)}`,
  )
}

/** Checks the coverage against the minimum, and reports a failure on standard error. */
export function isEnough(report: CoverageReport, minimum: number | null, terminal: Terminal): boolean {
  if (minimum === null || report.percent >= minimum) return true
  terminal.err(`error: coverage is ${report.percent} %, below the minimum of ${minimum} %`)
  return false
}
