// The integration check of `conform`, for tests.

import type { TestEmulator } from '../index.ts'
import type { ConformConfig } from './config/config.ts'
import type { ExploreOptions } from './explore/options.ts'
import type { ExploreReport } from './explore/report.ts'
import type { ConformReport } from './report.ts'
import { Conformance, type ConformOptions } from './run/conformance.ts'
import type { StorySource } from './stories/listed-stories.ts'
import type { StoryOptions } from './stories/play-stories.ts'
import type { StoryReport } from './stories/report/report.ts'

export type { ApplicationProcess } from './application/process.ts'
export type {
  Call,
  ConformConfig,
  Given,
  OrderState,
  ProbeCall,
  Probed,
  ProbeFunction,
  StartCall,
  StartFunction,
  StatusWords,
  WebhookSignature,
} from './config/config.ts'
export type { ExploreOptions } from './explore/options.ts'
export type { ExploreReport, FoundStory, Stopped } from './explore/report.ts'
export type { Progress as ExploreProgress } from './explore/search.ts'
export { htmlReport } from './report/html-report.tsx'
export { junitReport } from './report/junit-report.ts'
export { markdownReport } from './report/markdown-report.ts'
export type { ProgressPlace } from './report/progress-line.ts'
export { Progress, terminalReport } from './report/terminal-report.ts'
export type { TerminalStyle } from './report/terminal-style.ts'
export type * from './report.ts'
export { CaseFailed, ConformTests, type NamedCase, NotConfigured, type Tested } from './run/conform-tests.ts'
export { Conformance, type ConformOptions } from './run/conformance.ts'
export type { ActName } from './stories/acts.ts'
export type { StoryInWords, StorySource } from './stories/listed-stories.ts'
export type { StoryOptions } from './stories/play-stories.ts'
export type { PromiseId } from './stories/promises.ts'
export type { BrokenPromise, StoryReport, StoryResult } from './stories/report/report.ts'
export type { StepText, Story } from './stories/story.ts'
export { StoryFailed, StoryTests } from './stories/story-tests.ts'

/** Tests an application against an emulator, and says which integration bugs it has.
 *  @param emulator where the application has its credentials: in this process, or anywhere else */
export function conform(
  emulator: TestEmulator,
  config: ConformConfig,
  options: ConformOptions = {},
): Promise<ConformReport> {
  return new Conformance(emulator, config, options).run()
}

/** Searches for stories that break a promise which every payment integration has to keep.
 *  @param emulator where the application has its credentials
 *  @throws RangeError for an option out of its range; EmulatorUnreachable */
export async function explore(
  emulator: TestEmulator,
  config: ConformConfig,
  options: ExploreOptions = {},
): Promise<ExploreReport> {
  const { explore: search } = await import('./explore/explore.ts')
  return search(emulator, config, options)
}

/** Plays stories that were found one after the other, and says which of them break a promise.
 *  @param emulator where the application has its credentials
 *  @param stories a folder, or paths of files and stories in words
 *  @throws RangeError for a wrong story or option; EmulatorUnreachable; the abort reason */
export async function playStories(
  emulator: TestEmulator,
  config: ConformConfig,
  stories: StorySource,
  options: StoryOptions = {},
): Promise<StoryReport> {
  const { playStories: play } = await import('./stories/play-stories.ts')
  return play(emulator, config, stories, options)
}
