import type { LearnedCaptures, LearnOptions } from './learned-captures.ts'
import type { DriftReport } from './report/report.ts'
import type { Story } from './story/story.ts'

/** Works out the settings that explain captures of the real service. Nothing is sent anywhere.
 *  @param captures files or folders: HAR, JSON lines, request logs and snapshots of the emulator
 *  @throws an error with one line that says which file is wrong, and how */
export async function learn(
  captures: string | readonly string[],
  options: LearnOptions = {},
): Promise<LearnedCaptures> {
  const { learnCaptures } = await import('./work.ts')
  return learnCaptures([captures].flat(), options)
}

/** Compares a settings file with new captures: what contradicts it now has changed at the service.
 *  @param settings the path of a settings file
 *  @throws an error with one line that says which file is wrong, and how */
export async function drift(
  settings: string,
  captures: string | readonly string[],
  options: LearnOptions = {},
): Promise<DriftReport> {
  const { driftCaptures } = await import('./work.ts')
  return driftCaptures(settings, [captures].flat(), options)
}

/** Writes what happened to one order of some captures as a scenario file and a fixture, so that it replays.
 *  @param options `settings` is the path of the settings file that explains the webhooks; without it, they are learned
 *  @throws an error with one line that says which file is wrong, or that there is no such order */
export async function learnStory(
  captures: string | readonly string[],
  requestId: string,
  options: LearnOptions & { readonly settings?: string | undefined } = {},
): Promise<Story> {
  const { storyInCaptures } = await import('./work.ts')
  return storyInCaptures([captures].flat(), requestId, { ...options, settings: options.settings ?? null })
}
