import type { ExploreReport, FoundStory } from '../../conform/explore/report.ts'
import type { HiddenValues } from '../conform/hidden-values.ts'

/** The report without secrets from environment variables. */
export const shownReport = (report: ExploreReport, hidden: HiddenValues): ExploreReport => ({
  ...report,
  problems: report.problems.map(({ member, message }) => ({ member, message: hidden.in(message) })),
  stopped: report.stopped && { ...report.stopped, why: hidden.in(report.stopped.why) },
  found: report.found.map((found) => shownStory(found, hidden)),
})

/** A found story without secrets from environment variables. */
export const shownStory = (found: FoundStory, hidden: HiddenValues): FoundStory => ({
  ...found,
  seen: found.seen.map((words) => hidden.in(words)),
  did: hidden.in(found.did),
  sequence: found.sequence && hidden.in(found.sequence),
})
