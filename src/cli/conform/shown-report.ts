import type { CaseResult, ConformReport, ToldFinding } from '../../conform/index.ts'
import type { HiddenValues } from './hidden-values.ts'

/** A report as others may read it: without what the configuration has from the environment. */
export const shownReport = (report: ConformReport, hidden: HiddenValues): ConformReport => ({
  ...report,
  problems: report.problems.map(({ member, message }) => ({ member, message: hidden.in(message) })),
  cases: report.cases.map((result) => shownResult(result, hidden)),
})

const shownResult = (result: CaseResult, hidden: HiddenValues): CaseResult => ({
  ...result,
  note: orNull(result.note, (note) => hidden.in(note)),
  finding: orNull(result.finding, (finding) => shownFinding(finding, hidden)),
})

function shownFinding(finding: ToldFinding, hidden: HiddenValues): ToldFinding {
  const { did, timeline, sent, curl, resend } = finding
  const inCommand = (command: string) => hidden.inCommand(command)
  return {
    ...finding,
    did: hidden.in(did),
    timeline: timeline.map((entry) => ({ ...entry, what: hidden.in(entry.what) })),
    sent: orNull(sent, ({ url, answer, error, ...rest }) => ({
      ...rest,
      url: hidden.in(url),
      answer: orNull(answer, (text) => hidden.in(text)),
      error: orNull(error, (text) => hidden.in(text)),
    })),
    curl: orNull(curl, inCommand),
    resend: orNull(resend, inCommand),
  }
}

const orNull = <T>(value: T | null, shown: (value: T) => T): T | null =>
  value === null ? null : shown(value)
