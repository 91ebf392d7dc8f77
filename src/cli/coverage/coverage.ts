import { appendFileSync } from 'node:fs'
import { coverage as coverageShape } from '../../control/shapes/coverage.ts'
import { type CoverageReport, coverageReport } from '../../domain/coverage/report.ts'
import { makeWritable, writeResult } from '../conform/output-files.ts'
import { controlAccess } from '../control-access.ts'
import { controlCall, nobodyAnswers, notAnEmulator, Refused, Unreachable } from '../control-call.ts'
import { GiveUp } from '../give-up.ts'
import type { Environment, Terminal } from '../terminal.ts'
import { metIn } from './coverage-files.ts'
import { htmlPage } from './html-page.tsx'
import { markdownText } from './markdown-text.ts'
import { isEnough, minimumIn } from './minimum.ts'
import { terminalText } from './terminal-text.ts'

/** `coverage`: shows what tests have met; ends with 1 if that is too little. @throws GiveUp */
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

/** Files that a report is written to; null for none. */
export interface ReportFiles {
  readonly html: string | null
  /** Markdown is appended to it. */
  readonly summary: string | null
}

/** A flag that names a file. */
export const fileIn = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Writes a report into files. @throws GiveUp */
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
    throw new GiveUp(
      2,
      'error: `--dir` reads files and asks no emulator; use it without `--url` and `--client`',
    )
  return coverageReport(metIn(dir))
}

/** What a running emulator says. @throws GiveUp */
async function asked(flags: Readonly<Record<string, unknown>>, env: Environment): Promise<CoverageReport> {
  const access = controlAccess(flags, env)
  const query = typeof flags.client === 'string' ? `?${new URLSearchParams({ clientId: flags.client })}` : ''
  const answer = await controlCall(access, 'GET', `/coverage${query}`).catch((error: unknown) => {
    if (error instanceof Unreachable) throw nobodyAnswers(access.url, error)
    if (error instanceof Refused)
      throw new GiveUp(2, `error: ${access.url} rejects the call: ${error.message}`)
    throw error
  })
  const read = coverageShape.safeParse(answer)
  if (read.success) return read.data
  throw notAnEmulator(access.url, 200)
}
