import type { CaseId, CaseResult, ConformReport, Level, Verdict } from '../report.ts'
import { plainLine, wrapped } from './lines.ts'
import { shownText, verdictMark } from './markdown-report.ts'
import { inOrder, remarkOn } from './summary.ts'
import { type Paint, painter } from './terminal-style.ts'

/** Two runs of the same test cases, at an earlier commit and now. All of it is JSON. */
export interface Proof {
  /** At least one case failed at the earlier commit and passes now, and none is worse. */
  readonly ok: boolean
  /** The earlier commit as it was named: a branch, a tag, a hash. */
  readonly ref: string
  /** Its full hash. */
  readonly commit: string
  /** Its first characters, as reports show it. */
  readonly short: string
  /** Files whose changes are part of "now" without being committed. */
  readonly uncommitted: readonly string[]
  readonly seed: string
  /** FAIL or WARN before, PASS now. */
  readonly fixed: readonly ComparedCase[]
  /** PASS before and WARN or FAIL now, or WARN before and FAIL now. */
  readonly worse: readonly ComparedCase[]
  /** FAIL or WARN in both runs, and not worse now. */
  readonly stillRed: readonly ComparedCase[]
  /** Observable in only one of the runs, which proves nothing. */
  readonly seenOnce: readonly ComparedCase[]
  /** The number of cases that passed in both runs, or were observable in none. */
  readonly unchanged: number
  readonly before: ConformReport
  readonly now: ConformReport
}

/** A test case in two runs. */
export interface ComparedCase {
  readonly id: CaseId
  readonly level: Level
  readonly title: string
  readonly before: Verdict
  readonly now: Verdict
  /** What was wrong, or why the case was not observable, in the run where that is so; now if in both. */
  readonly remark: string
  /** Whether `remark` is about the present run. */
  readonly remarkIsNow: boolean
  /** The command that repeats the case; null if it is not red now. */
  readonly repeat: string | null
}

type Commit = Pick<Proof, 'ref' | 'commit' | 'short' | 'uncommitted'>

/** Compares two runs of the same cases with the same seed. */
export function proofOf(commit: Commit, before: ConformReport, now: ConformReport): Proof {
  const compared = inOrder(now.cases).flatMap((result) => {
    const earlier = before.cases.find(({ id }) => id === result.id)
    return earlier === undefined ? [] : [comparedCase(earlier, result)]
  })
  const of = (change: Change) => compared.filter((each) => changeOf(each) === change)
  const [fixed, worse] = [of('fixed'), of('worse')]
  return {
    ok: fixed.length > 0 && worse.length === 0,
    ...commit,
    seed: now.seed,
    ...{ fixed, worse, stillRed: of('still red'), seenOnce: of('seen once') },
    unchanged: of('unchanged').length,
    ...{ before, now },
  }
}

function comparedCase(before: CaseResult, now: CaseResult): ComparedCase {
  const { id, level, title } = now
  const remarkIsNow = now.verdict !== 'PASS'
  return {
    ...{ id, level, title, before: before.verdict, now: now.verdict },
    remark: before.verdict === 'PASS' && !remarkIsNow ? '' : remarkOn(remarkIsNow ? now : before),
    remarkIsNow,
    repeat: isRed(now.verdict) ? (now.finding?.repeat ?? null) : null,
  }
}

type Change = 'fixed' | 'worse' | 'still red' | 'seen once' | 'unchanged'

const ranks: Readonly<Record<Exclude<Verdict, 'NOT-SEEN'>, number>> = { PASS: 0, WARN: 1, FAIL: 2 }

const isRed = (verdict: Verdict): boolean => verdict === 'FAIL' || verdict === 'WARN'

function changeOf({ before, now }: Pick<ComparedCase, 'before' | 'now'>): Change {
  if (before === 'NOT-SEEN' || now === 'NOT-SEEN') return before === now ? 'unchanged' : 'seen once'
  if (ranks[now] > ranks[before]) return 'worse'
  if (isRed(now)) return 'still red'
  return isRed(before) ? 'fixed' : 'unchanged'
}

/** Formats the result on one line: `K08 red at 1a2b3c4, green now; 57 others unchanged`. */
export function proofSummary({ short, fixed, worse, stillRed, seenOnce, unchanged }: Proof): string {
  const others = unchanged === 1 ? '1 other unchanged' : `${unchanged} others unchanged`
  return [
    fixed.length === 0
      ? `No case is red at ${short} and green now`
      : `${idsOf(fixed)} red at ${short}, green now`,
    ...(worse.length === 0 ? [] : [`${idsOf(worse)} worse than at ${short}`]),
    ...(stillRed.length === 0 ? [] : [`${idsOf(stillRed)} red in both`]),
    ...(seenOnce.length === 0 ? [] : [`${idsOf(seenOnce)} observable in only one of them`]),
    ...(unchanged === 0 ? [] : [others]),
  ].join('; ')
}

function idsOf(cases: readonly ComparedCase[]): string {
  const ids = cases.map(({ id }) => id)
  const last = ids.pop() ?? ''
  return ids.length === 0 ? last : `${ids.join(', ')} and ${last}`
}

/** The parts of a proof, each with its headline. */
const sectionsOf = ({
  short,
  fixed,
  worse,
  stillRed,
  seenOnce,
}: Proof): [string, readonly ComparedCase[]][] => {
  const all: [string, readonly ComparedCase[]][] = [
    [`Red at ${short}, green now`, fixed],
    [`Worse than at ${short}`, worse],
    ['Red in both', stillRed],
    ['Observable in only one of them, which proves nothing', seenOnce],
  ]
  return all.filter(([, cases]) => cases.length > 0)
}

/** Remarks about the two runs. */
function remarksOn({ ref, short, uncommitted, seed, before, now }: Proof): string[] {
  const problemsAt = (where: string, { problems }: ConformReport) =>
    problems.map(({ member, message }) => `A problem in the configuration ${where}: ${member}: ${message}`)
  return [
    `${short} is ${ref}. Both runs have the seed ${seed} and the configuration of the present tree.`,
    ...(uncommitted.length === 0 ? [] : [uncommittedWords(uncommitted)]),
    ...problemsAt(`at ${short}`, before),
    ...problemsAt('now', now),
  ]
}

const mostFiles = 5

function uncommittedWords(files: readonly string[]): string {
  const more = files.length > mostFiles ? ` and ${files.length - mostFiles} more` : ''
  const count = files.length === 1 ? '1 file' : `${files.length} files`
  return `"Now" includes uncommitted changes in ${count}: ${files.slice(0, mostFiles).join(', ')}${more}.`
}

/** Formats a proof for a terminal. */
export function proofText(
  proof: Proof,
  { colours, columns }: { colours: boolean; columns: number | null },
): string {
  const paint = painter(colours)
  const look = proof.ok ? 'green' : proof.worse.length > 0 ? 'red' : 'yellow'
  return [
    wrapped(plainLine(proofSummary(proof)), columns)
      .map((line) => paint(['bold', look], line))
      .join('\n'),
    ...sectionsOf(proof).map(([headline, cases]) =>
      [paint('bold', headline), ...cases.flatMap((each) => caseLines(each, proof, columns, paint))].join(
        '\n',
      ),
    ),
    remarksOn(proof)
      .flatMap((remark) => wrapped(plainLine(remark), columns))
      .join('\n'),
  ].join('\n\n')
}

function caseLines(compared: ComparedCase, { short }: Proof, columns: number | null, paint: Paint): string[] {
  const { id, title, before, now, remark, remarkIsNow, repeat } = compared
  const indented = (text: string) =>
    wrapped(text, columns === null ? null : columns - 7).map((line) => `       ${line}`)
  return [
    ...indented(`${before} → ${now}  ${title}`).map((line, n) =>
      n === 0 ? `  ${id}  ${line.trimStart()}` : line,
    ),
    ...(remark === ''
      ? []
      : indented(plainLine(`${remarkIsNow ? 'Now' : `At ${short}`}: ${remark}`)).map((line) =>
          paint('dim', line),
        )),
    ...(repeat === null ? [] : [repeat]),
  ]
}

/** Formats a proof as Markdown, for the summary of a CI job. */
export function proofMarkdown(proof: Proof): string {
  const { short } = proof
  const rows = sectionsOf(proof).flatMap(([, cases]) => cases)
  const table = [
    `| test case | at ${shownText(short)} | now | |`,
    '|---|---|---|---|',
    ...rows.map(({ id, title, before, now, remark, remarkIsNow }) => {
      const when = remark === '' ? '' : `${remarkIsNow ? 'Now' : `At ${shownText(short)}`}: `
      return `| ${id} ${shownText(title)} | ${verdictMark[before]} ${before} | ${verdictMark[now]} ${now} | ${when}${shownText(remark)} |`
    }),
  ]
  const mark = proof.ok ? '✅' : proof.worse.length > 0 ? '❌' : '➖'
  const parts = [
    `## ${mark} conform --prove: ${shownText(proofSummary(proof))}`,
    ...(rows.length === 0 ? [] : [table.join('\n')]),
    ...remarksOn(proof).map(shownText),
  ]
  return `${parts.join('\n\n')}\n`
}
