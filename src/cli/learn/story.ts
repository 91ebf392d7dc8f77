import { join } from 'node:path'
import { oneLine } from '../../domain/text/issue-words.ts'
import type { LearnOptions } from '../../learn/learned-captures.ts'
import { StoryMissing, storyInCaptures } from '../../learn/work.ts'
import { CliError } from '../cli-error.ts'
import { writeNew } from '../output-files.ts'
import type { Terminal } from '../terminal.ts'
import { type Flags, textIn } from './options.ts'

/** Runs `learn --story`: writes what happened to one order as a scenario file and a fixture.
 *  @throws CliError, CaptureUnusable */
export async function learnStory(
  captures: readonly string[],
  requestId: string,
  { flags, options }: { readonly flags: Flags; readonly options: LearnOptions },
  terminal: Terminal,
): Promise<number> {
  const folder = textIn(flags.out) ?? '.'
  const settings = textIn(flags.settings)
  const { id, scenario, fixture, notes } = await found(() =>
    storyInCaptures(captures, requestId, { ...options, settings }),
  )
  const texts = [
    { path: join(folder, `${id}.yaml`), text: scenario },
    { path: join(folder, `${id}.fixture.yaml`), text: fixture },
  ]
  writeNew(texts, flags.force === true)
  const files = texts.map(({ path }) => path)
  if (flags.json === true) terminal.out(JSON.stringify({ id, files, notes }))
  else
    for (const line of [...files, ...notes.map((note) => `note: ${oneLine(note, 400)}`)]) terminal.out(line)
  return 0
}

async function found<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof StoryMissing) throw new CliError(1, `error: ${oneLine(error.message, 1000)}`)
    throw error
  }
}
