import { CliError } from '../cli-error.ts'

/** Which stories are played, and how often. */
export interface StoryChoice {
  /** Files, and folders with YAML files. */
  readonly paths: readonly string[]
  /** How often each is played; undefined: as often as usual. */
  readonly times: number | undefined
}

/** Flags that choose or judge test cases, which a run of stories does not have. */
const ofCases = {
  only: '--only',
  level: '--level',
  requireSeen: '--require-seen',
  prove: '--prove',
} as const

/** Reads `--story` and `--times`; null for a run of test cases.
 *  @throws CliError */
export function storyChoice(flags: Readonly<Record<string, unknown>>): StoryChoice | null {
  const { story, times } = flags
  if (!Array.isArray(story)) {
    if (times === undefined) return null
    throw new CliError(2, 'error: `--times` works only with `--story`')
  }
  for (const [name, flag] of Object.entries(ofCases))
    if (flags[name] !== undefined)
      throw new CliError(2, `error: \`--story\` plays stories and no test cases; leave out \`${flag}\``)
  return { paths: story.map(String), times: times === undefined ? undefined : timesIn(String(times)) }
}

function timesIn(text: string): number {
  const times = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (times >= 1 && times <= 100) return times
  throw new CliError(2, `error: --times: expected a whole number from 1 to 100, not ${JSON.stringify(text)}`)
}
