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
export function withFiles(
  report: ExploreReport,
  folder: string,
  againWith: (file: string) => string,
): ExploreReport {
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

/** Whether a file keeps a story of the same acts. */
function isOf(file: string, acts: readonly StepText[]): boolean {
  if (!statSync(file).isFile()) return false
  const read = readStoryFile(readFileSync(file, 'utf8'), file)
  return 'story' in read && JSON.stringify(toStepTexts(read.story)) === JSON.stringify(acts)
}
