// Everything that `learn` and `drift` load late, in one module: a program that only tests does not need it.

import { readFileSync } from 'node:fs'
import { readSettingsFile, type SettingsFile } from '../domain/choices/read-settings.ts'
import { formatProblem } from '../domain/text/yaml-source.ts'
import { wallNow } from '../time/wall.ts'
import { driftOf } from './drift.ts'
import { learnFrom } from './learn.ts'
import type { LearnedCaptures, LearnOptions } from './learned-captures.ts'
import { Masker } from './mask.ts'
import { CaptureUnusable, readCaptures } from './read-captures.ts'
import { type DriftReport, driftReport, learnReport } from './report/report.ts'
import { overlayOf, settingsFile, withoutUnusable } from './settings-file.ts'
import { type Story, storyOf } from './story/story.ts'

/** Reads captures and works out the settings that explain them.
 *  @throws CaptureUnusable */
export async function learnCaptures(
  paths: readonly string[],
  options: LearnOptions,
): Promise<LearnedCaptures> {
  const read = await readCaptures(paths, readOptions(options))
  const masker = new Masker(read.evidence)
  const learned = withoutUnusable(learnFrom(read.evidence), masker)
  const from = read.files.map(({ file }) => file)
  return {
    report: learnReport(read, learned, masker),
    settings: overlayOf(learned, masker),
    yaml: settingsFile({ learned, from, on: new Date(wallNow()).toISOString().slice(0, 10) }, masker),
  }
}

/** Writes what happened to one order as a scenario file and a fixture.
 *  @param settings the settings file that explains the webhooks; null to learn them from the captures
 *  @throws CaptureUnusable, StoryMissing */
export async function storyInCaptures(
  paths: readonly string[],
  requestId: string,
  { settings, ...options }: LearnOptions & { readonly settings: string | null },
): Promise<Story> {
  const { evidence } = await readCaptures(paths, readOptions(options))
  const masker = new Masker(evidence)
  const known = settings === null ? overlayOf(learnFrom(evidence), masker) : settingsIn(settings).overlay
  const story = storyOf(evidence, requestId, masker, { settings: known, clientId: options.clientId })
  if ('problem' in story) throw new StoryMissing(story.problem)
  return story
}

/** The captures have no such order, or several. */
export class StoryMissing extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StoryMissing'
  }
}

/** Compares a settings file with captures.
 *  @throws CaptureUnusable for an unusable file of either kind */
export async function driftCaptures(
  settings: string,
  paths: readonly string[],
  options: LearnOptions,
): Promise<DriftReport> {
  const { overlay, learned } = settingsIn(settings)
  const read = await readCaptures(paths, readOptions(options))
  return driftReport(read, driftOf(overlay, learned, read.evidence), new Masker(read.evidence))
}

/** Reads a settings file.
 *  @throws CaptureUnusable */
function settingsIn(file: string): SettingsFile {
  const reading = readSettingsFile(textOf(file), file)
  if ('problems' in reading) throw new CaptureUnusable(reading.problems.map(formatProblem).join('\n'))
  return reading
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CaptureUnusable(`cannot read the settings file ${JSON.stringify(file)}: ${reason}`)
  }
}

const readOptions = ({ clientId, apiSecret, webhookSecret }: LearnOptions) => ({
  clientId,
  secrets: { apiSecret: apiSecret ?? null, webhookSecret: webhookSecret ?? null },
})
