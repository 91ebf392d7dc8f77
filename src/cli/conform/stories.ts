import { type ConformConfig, playStories, type StoryReport } from '../../conform/index.ts'
import { readStoryFile } from '../../conform/stories/read-story-file.ts'
import { storyHtmlReport } from '../../conform/stories/report/html-report.tsx'
import { storyJunitReport } from '../../conform/stories/report/junit-report.ts'
import { storyMarkdownReport } from '../../conform/stories/report/markdown-report.ts'
import { sawNothing } from '../../conform/stories/report/summary.ts'
import { storyTerminalReport } from '../../conform/stories/report/terminal-report.ts'
import { wallNow } from '../../time/wall.ts'
import { problemLines } from '../check/check.ts'
import { namedFiles } from '../check/named-files.ts'
import type { ControlAccess } from '../emulator-url.ts'
import { appendSummary, writeResult } from '../output-files.ts'
import { programCall } from '../program-call.ts'
import type { Terminal } from '../terminal.ts'
import { shownStories } from './hidden-values.ts'
import { type ChosenConfig, ConfigRefused, type ConformFlags, conformCall, problemsText } from './options.ts'
import { progressAt, styleOf, type TestPlace, withEmulator } from './test-run.ts'

/** Finds the files of stories, and checks them.
 *  @param paths files, and folders with YAML files
 *  @throws CliError; ConfigRefused with the problems of all files */
export function readStories(paths: readonly string[], terminal: Terminal): string[] {
  const files = namedFiles(paths, terminal)
  const wrong = files.flatMap(({ file, text }) => {
    const read = readStoryFile(text, file)
    return 'problems' in read ? [{ file, text, kind: 'story', problems: read.problems }] : []
  })
  if (wrong.length === 0) return files.map(({ file }) => file)
  const problems = wrong.flatMap((file) => file.problems)
  throw new ConfigRefused(problems, problemLines(wrong, terminal))
}

/** Plays stories, and shows their progress at a terminal.
 *  @throws CliError, Stopped */
export async function playedStories(
  access: ControlAccess,
  config: ConformConfig,
  files: readonly string[],
  options: ConformFlags,
  { terminal, signal, application }: TestPlace,
): Promise<StoryReport> {
  const progress = progressAt(terminal)
  progress.overwrite('checking the configuration')
  try {
    return await withEmulator(access, (emulator) =>
      playStories(emulator, config, files, {
        ...{ seed: options.seed, times: options.stories?.times, signal },
        process: application,
        onStory: ({ name, n, of }) =>
          progress.overwrite(`${String(n).padStart(String(of).length)}/${of}  ${name}`),
        repeatWith: ({ file }, seed) => {
          const times = options.stories?.times
          const own = ['--story', file ?? '', ...(times === undefined ? [] : ['--times', String(times)])]
          return conformCall(programCall(terminal.env), [...own, '--seed', seed], options)
        },
      }),
    )
  } finally {
    progress.end()
  }
}

/** Writes the report of a run in every requested format.
 *  @param run the report, and why the application ended if it ended early
 *  @returns the exit code */
export function writeStories(
  { report: whole, obituary }: { report: StoryReport; obituary: string | null },
  { hidden, written }: ChosenConfig,
  options: ConformFlags,
  terminal: Terminal,
): number {
  const report = shownStories(whole, hidden)
  if (options.json) terminal.out(JSON.stringify(report))
  else if (report.problems.length > 0 && report.stories.length === 0)
    terminal.out(problemsText(report.problems, written, terminal, 'No story was played'))
  else terminal.out(storyTerminalReport(report, styleOf(terminal)))
  if (obituary !== null) terminal.err(`error: ${hidden.in(obituary)}`)
  writeFiles(report, options, terminal)
  return storyExitCode(report, obituary !== null)
}

/** Writes the problems of a configuration or story file in every requested format.
 *  @throws CliError */
export function writeRefusedStories(
  { reported: problems }: ConfigRefused,
  options: ConformFlags,
  terminal: Terminal,
): void {
  const { seed = '', url, over, json } = options
  const report: StoryReport = {
    ok: false,
    ...{ seed, emulator: url, clientId: over.client ?? 'demo-client' },
    ...{ startedAt: wallNow(), ms: 0, stories: [], problems },
  }
  writeFiles(report, options, terminal)
  if (json) terminal.out(JSON.stringify(report))
}

function writeFiles(report: StoryReport, { junit, html, summary }: ConformFlags, { env }: Terminal): void {
  if (junit !== null) writeResult(junit, storyJunitReport(report))
  if (html !== null) writeResult(html, storyHtmlReport(report))
  appendSummary(summary, storyMarkdownReport(report), env)
}

/** The exit code of a run of stories.
 *  @param ended whether the application ended before the run */
export function storyExitCode({ problems, stories }: StoryReport, ended: boolean): number {
  if (stories.some(({ verdict }) => verdict === 'FAIL')) return 1
  if (problems.length > 0) return 2
  if (ended) return 1
  return sawNothing(stories) ? 3 : 0
}
