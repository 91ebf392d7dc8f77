import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { coverageReport } from '../../domain/coverage/report.ts'
import { coverageFolderIn, makeWritable } from '../output-files.ts'
import type { Terminal } from '../terminal.ts'
import { fileIn, isEnough, metIn, minimumIn, writeReports } from './coverage.ts'
import { terminalText } from './text-reports.ts'

/** The coverage of one command, if it was requested. */
export interface ExecCoverage {
  /** The folder for the coverage files of the command's emulators. */
  readonly folder: string | undefined
  /** Writes the coverage to standard error.
   *  @param exitCode of the command
   *  @returns the exit code: 1 if the command succeeded with too little coverage */
  report(exitCode: number): number
  /** Removes temporary files. */
  dispose(): void
}

/** Prepares the coverage of a command.
 *  @param flags of `exec`
 *  @throws CliError */
export function execCoverage(flags: Readonly<Record<string, unknown>>, terminal: Terminal): ExecCoverage {
  const minimum = minimumIn(flags.coverageMin)
  const files = { html: fileIn(flags.coverageHtml), summary: fileIn(flags.coverageSummary) }
  const chosen = coverageFolderIn(terminal.env)
  const isAsked = flags.coverage === true || minimum !== null || files.html !== null || files.summary !== null
  if (!isAsked) return { folder: chosen, report: (exitCode) => exitCode, dispose: () => {} }
  for (const file of Object.values(files)) if (file !== null) makeWritable(file)
  const folder = chosen ?? mkdtempSync(join(tmpdir(), 'emulator-coverage-'))
  return {
    folder,
    report: (exitCode) => {
      const met = coverageReport(metIn(folder))
      terminal.err(terminalText(met, terminal.colours))
      writeReports(met, files)
      const enough = isEnough(met, minimum, terminal)
      return exitCode === 0 && !enough ? 1 : exitCode
    },
    dispose: () => {
      if (chosen === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}
