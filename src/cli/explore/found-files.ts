import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { storyFileName, storyFileText } from '../../conform/explore/found-file.ts'
import type { ExploreReport, FoundStory } from '../../conform/explore/report.ts'
import { readStoryFile } from '../../conform/stories/read-story-file.ts'
import { type StepText, toStepTexts } from '../../conform/stories/story.ts'
import { CliError } from '../cli-error.ts'
import { makeWritable, writeResult } from '../output-files.ts'

/** Checks that files can be written to a folder, before anything long begins. The folder is not created yet.
 *  @throws CliError */
export function expectFolder(folder: string): void {
  let place = resolve(folder)
  while (!existsSync(place)) place = dirname(place)
  if (!statSync(place).isDirectory())
    throw new CliError(2, `error: --out: ${JSON.stringify(place)} is a file; name a folder`)
  try {
    accessSync(place, constants.W_OK)
  } catch {
    throw new CliError(2, `error: --out: cannot write to the folder ${JSON.stringify(place)}`)
  }
}

/** Writes the file of each found story. A file of another story is not overwritten.
 *  @param againWith builds the command that plays a file
 *  @returns the report with the files
 *  @throws CliError */
export function withFiles<R extends Pick<ExploreReport, 'found' | 'seed'>>(
  report: R,
  folder: string,
  againWith: (file: string) => string,
): R {
  const found = report.found.map((each): FoundStory => {
    const file = freeName(folder, each)
    makeWritable(file)
    writeResult(file, storyFileText(each, { seed: report.seed }))
    return { ...each, file, again: againWith(file) }
  })
  return { ...report, found }
}

/** The first name that is free, or has the same story: `released-twice.yaml`, `released-twice-2.yaml`. */
function freeName(folder: string, found: FoundStory): string {
  const name = storyFileName(found)
  for (let n = 1; ; n++) {
    const file = join(folder, n === 1 ? name : name.replace(/(?=\.yaml$)/, `-${n}`))
    if (!existsSync(file) || isOf(file, found.acts)) return file
  }
}

/** Whether a file keeps a story of the same acts. One that cannot be read does not. */
function isOf(file: string, acts: readonly StepText[]): boolean {
  try {
    if (!statSync(file).isFile()) return false
    const read = readStoryFile(readFileSync(file, 'utf8'), file)
    return 'story' in read && JSON.stringify(toStepTexts(read.story)) === JSON.stringify(acts)
  } catch {
    return false
  }
}

/** Keeps each story as soon as it is found: a search may take hours, and end without a report. */
export class FoundFiles {
  readonly #folder: string
  readonly #seed: string
  readonly #shown: (found: FoundStory) => FoundStory
  readonly #files: string[] = []

  /** @param shown the story without secrets */
  constructor(folder: string, seed: string, shown: (found: FoundStory) => FoundStory) {
    this.#folder = folder
    this.#seed = seed
    this.#shown = shown
  }

  /** @param found all stories so far */
  keep(found: readonly FoundStory[]): void {
    for (const story of found.slice(this.#files.length).map(this.#shown))
      try {
        const kept = withFiles({ found: [story], seed: this.#seed }, this.#folder, () => '')
        this.#files.push(...kept.found.map(({ file }) => file ?? ''))
      } catch (error) {
        // The report at the end says why.
        if (error instanceof CliError) return
        throw error
      }
  }

  /** An error that ended the search, with the stories that were found before. */
  with(error: unknown): unknown {
    if (!(error instanceof CliError) || this.#files.length === 0) return error
    return new CliError(
      error.exitCode,
      `${error.message}\nfound before, and kept as ${this.#files.join(', ')}`,
    )
  }
}
