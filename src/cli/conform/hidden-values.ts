import { isIP } from 'node:net'
import type { UsedVariable } from '../../conform/config/config-file.ts'
import type {
  CaseResult,
  ConformReport,
  ExploreReport,
  FoundStory,
  ReportedFinding,
  StoryReport,
} from '../../conform/index.ts'
import { xmlText } from '../../domain/text/markup.ts'
import { shellQuoted } from '../../domain/text/shell.ts'
import { isUrl } from '../../domain/text/urls.ts'

/** The report without secrets from environment variables. */
export const shownReport = (report: ConformReport, hidden: HiddenValues): ConformReport => ({
  ...report,
  problems: report.problems.map(({ member, message }) => ({ member, message: hidden.in(message) })),
  cases: report.cases.map((result) => shownResult(result, hidden)),
})

/** The report of stories without secrets from environment variables. */
export const shownStories = (report: StoryReport, hidden: HiddenValues): StoryReport => ({
  ...report,
  problems: report.problems.map(({ member, message }) => ({ member, message: hidden.in(message) })),
  stories: report.stories.map((result) => ({
    ...result,
    note: orNull(result.note, (note) => hidden.in(note)),
    seen: result.seen.map((words) => hidden.in(words)),
    broken: orNull(result.broken, (broken) => ({ ...broken, did: hidden.in(broken.did) })),
    sequence: orNull(result.sequence, (picture) => hidden.in(picture)),
  })),
})

/** The report of a search without secrets from environment variables. */
export const shownSearch = (report: ExploreReport, hidden: HiddenValues): ExploreReport => ({
  ...report,
  problems: report.problems.map(({ member, message }) => ({ member, message: hidden.in(message) })),
  stopped: orNull(report.stopped, (stopped) => ({ ...stopped, why: hidden.in(stopped.why) })),
  found: report.found.map((found) => shownFound(found, hidden)),
})

/** A found story without secrets from environment variables. */
export const shownFound = (found: FoundStory, hidden: HiddenValues): FoundStory => ({
  ...found,
  seen: found.seen.map((words) => hidden.in(words)),
  did: hidden.in(found.did),
  sequence: orNull(found.sequence, (picture) => hidden.in(picture)),
})

const shownResult = (result: CaseResult, hidden: HiddenValues): CaseResult => ({
  ...result,
  note: orNull(result.note, (note) => hidden.in(note)),
  finding: orNull(result.finding, (finding) => shownFinding(finding, hidden)),
})

function shownFinding(finding: ReportedFinding, hidden: HiddenValues): ReportedFinding {
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

/** Shorter values are ports, words and the like, which occur in every text. */
const leastCharacters = 6

/** Fields that are never secret and are needed to understand a verdict: status words, durations and names. */
const plainMembers = [
  'client',
  'webhookSignature',
  'statuses',
  'status',
  'effects',
  'requestId',
  'id',
  'settle',
]

/** Replaces the values of environment variables in texts that CI keeps. Passwords and tokens are given as `${NAME}`
 *  so that they are in no file. */
export class HiddenValues {
  readonly #hidden: readonly { readonly name: string; readonly value: string }[]

  constructor(used: readonly UsedVariable[]) {
    this.#hidden = used
      .filter(isSecret)
      .flatMap(({ name, value }) => [...writings(value)].map((each) => ({ name, value: each })))
      // Longer values first, because one value may contain another.
      .toSorted((a, b) => b.value.length - a.value.length)
  }

  /** Replaces the values by the names of their variables, even at the cut end of a text. */
  in(text: string): string {
    return this.#hidden.reduce(
      (hidden, { name, value }) =>
        withoutCutOff(
          hidden.replaceAll(value, () => `\${${name}}`),
          name,
          value,
        ),
      text,
    )
  }

  /** Replaces the values in a shell command, so that the shell inserts them if the variables are set. */
  inCommand(command: string): string {
    return this.#hidden.reduce((hidden, { name, value }) => {
      const quoted = shellQuoted(value).slice(1, -1)
      return hidden.replaceAll(quoted, () => `'"\${${name}}"'`)
    }, command)
  }
}

const isSecret = ({ value, path }: UsedVariable): boolean =>
  value.length >= leastCharacters &&
  !path.some((member) => plainMembers.includes(String(member))) &&
  !isPlace(value)

/** Whether a value is a URL or host name. Such values are not hidden: messages would be useless without them. */
function isPlace(value: string): boolean {
  if (value === 'localhost' || isIP(value) !== 0) return true
  if (!/^https?:\/\//i.test(value) || !isUrl(value)) return false
  const { username, password, search } = new URL(value)
  return `${username}${password}${search}` === ''
}

/** The forms of a value: as it is, in JSON, in a URL, in XML, and on one line. */
const writings = (value: string): Set<string> =>
  new Set([
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    xmlText(value),
    value.replaceAll(/\s+/g, ' ').trim(),
  ])

/** Replaces a value that is cut off at the end of a shortened text. */
function withoutCutOff(text: string, name: string, value: string): string {
  if (!text.includes('…')) return text
  for (let length = value.length - 1; length > 2; length -= 1) {
    const cut = `${value.slice(0, length)}…`
    if (text.includes(cut)) return text.replaceAll(cut, () => `\${${name}}…`)
  }
  return text
}
