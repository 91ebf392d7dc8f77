import { bounds, type ExploreOptions, usualTimeMs } from '../../conform/explore/options.ts'
import { type ActName, actNames } from '../../conform/stories/acts.ts'
import { readStoryFile } from '../../conform/stories/read-story-file.ts'
import type { Story } from '../../conform/stories/story.ts'
import { parseDuration } from '../../domain/text/duration.ts'
import { didYouMean } from '../../domain/text/issue-words.ts'
import { problemLines } from '../check/check.ts'
import { namedFiles } from '../check/named-files.ts'
import { CliError } from '../cli-error.ts'
import { type Flags, type RunFlags, type RunWords, readRunFlags, textIn } from '../conform/options.ts'
import type { Terminal } from '../terminal.ts'

/** The flags of `explore`. */
export interface ExploreFlags extends RunFlags {
  /** How long the search takes, and what it tries. */
  readonly search: ExploreOptions & { readonly timeMs: number }
  /** The folder into which the found stories are written. */
  readonly out: string
}

/** Reads the command line of `explore`.
 *  @throws CliError */
export function readExploreFlags(words: RunWords, flags: Flags, terminal: Terminal): ExploreFlags {
  return {
    ...readRunFlags('explore', words, flags, terminal.env),
    search: {
      timeMs: timeIn(flags.time),
      stories: wholeIn('--stories', flags.stories, ...bounds.stories),
      acts: wholeIn('--acts', flags.acts, ...bounds.acts),
      atOnce: wholeIn('--at-once', flags.atOnce, ...bounds.atOnce),
      without: withoutIn(flags.without),
      near: nearIn(textIn(flags.near), terminal),
      seed: textIn(flags.seed),
      stopAtFirst: flags.stopAtFirst === true,
    },
    out: outIn(textIn(flags.out)),
  }
}

function timeIn(flag: unknown): number {
  const text = textIn(flag)
  if (text === undefined) return usualTimeMs
  const ms = parseDuration(text)
  if (ms !== null && ms > 0) return ms
  throw new CliError(2, `error: --time: expected a duration like 90s or 10m, not ${JSON.stringify(text)}`)
}

function wholeIn(flag: string, value: unknown, least: number, most?: number): number | undefined {
  const text = textIn(value)
  if (text === undefined) return undefined
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= (most ?? Number.MAX_SAFE_INTEGER)) return number
  const range = most === undefined ? `of at least ${least}` : `from ${least} to ${most}`
  throw new CliError(2, `error: ${flag}: expected a whole number ${range}, not ${JSON.stringify(text)}`)
}

function outIn(text = 'found'): string {
  if (text.trim() !== '') return text
  throw new CliError(2, 'error: --out: expected a folder, not ""')
}

/** Acts without which there is no story to judge. */
const always: readonly ActName[] = ['create', 'pay']

function withoutIn(flag: unknown): ActName[] {
  const acts = (Array.isArray(flag) ? flag : []).flatMap((text) => actsIn(String(text)))
  const [kept] = acts.filter((act) => always.includes(act))
  if (kept !== undefined)
    throw new CliError(2, `error: --without: \`${kept}\` cannot be left out; the search is about paid orders`)
  return [...new Set(acts)]
}

/** Reads a list of acts. Some acts have a comma themselves, so the longest act that fits counts.
 *  @throws CliError */
function actsIn(text: string): ActName[] {
  const parts = text.split(',').map((part) => part.trim())
  const acts: ActName[] = []
  for (let at = 0; at < parts.length; ) {
    const ends = [...parts.keys()].filter((end) => end >= at).toReversed()
    const end = ends.find((last) => actNamed(parts.slice(at, last + 1).join(', ')) !== undefined) ?? at
    const words = parts.slice(at, end + 1).join(', ')
    const act = actNamed(words)
    if (act === undefined) throw unknownAct(words)
    acts.push(act)
    at = end + 1
  }
  return acts
}

const actNamed = (words: string): ActName | undefined =>
  actNames.find((act) => act.toLowerCase() === words.toLowerCase())

function unknownAct(words: string): CliError {
  const names = actNames.filter((act) => !always.includes(act))
  const list = names.map((act) => `\n  ${act}`).join('')
  return new CliError(
    2,
    `error: --without: unknown act ${JSON.stringify(words)}${didYouMean(words, names)}\nThe acts are:${list}`,
  )
}

function nearIn(file: string | undefined, terminal: Terminal): Story | undefined {
  if (file === undefined) return undefined
  const [only, ...others] = namedFiles([file], terminal)
  if (only === undefined || others.length > 0)
    throw new CliError(2, `error: --near: ${JSON.stringify(file)} is a folder; name the file of one story`)
  const read = readStoryFile(only.text, only.file)
  if ('story' in read) return read.story
  throw new CliError(2, problemLines([{ ...only, kind: 'story', problems: read.problems }], terminal))
}
