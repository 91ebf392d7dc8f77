import type { StepText } from './report.ts'
import type { Story } from './story.ts'

/** A story as files and reports have it: a step is an act, or several at the same moment. */
export const toStepTexts = (story: Story): StepText[] =>
  story.map((step): StepText => (step.length === 1 ? (step[0] ?? '') : { together: [...step] }))
