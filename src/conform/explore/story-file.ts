import { problemsOf, readYaml, type SourceProblem } from '../../domain/text/yaml-source.ts'
import { isAct } from './acts.ts'
import type { FoundStory, StepText } from './report.ts'
import { isPossible, type Story } from './story.ts'

/** A story as files and reports have it: a step is an act, or several at the same moment. */
export const toStepTexts = (story: Story): StepText[] =>
  story.map((step): StepText => (step.length === 1 ? (step[0] ?? '') : { together: [...step] }))

/** The file name of a found story: `released-twice.yaml`. */
export const storyFileName = ({ title }: Pick<FoundStory, 'title'>): string =>
  `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.yaml`

/** The text of the file that keeps a found story. */
export function storyFileText(
  { promise, title, did, repeats, acts }: FoundStory,
  { seed }: { seed: string },
): string {
  const steps = acts.flatMap((step) =>
    typeof step === 'string'
      ? [`  - ${step}`]
      : ['  - together:', ...step.together.map((act) => `      - ${act}`)],
  )
  return [
    `# ${title}: ${did.replaceAll(/\s+/g, ' ')}`,
    `promise: ${promise}`,
    `seed: ${JSON.stringify(seed)}`,
    `repeats: ${repeats.broke} of ${repeats.of}`,
    'acts:',
    ...steps,
    '',
  ].join('\n')
}

/** Reads the file of a story.
 *  @param file the file name in problems */
export function readStoryFile(
  text: string,
  file: string,
): { readonly story: Story } | { readonly problems: readonly SourceProblem[] } {
  const source = readYaml(text, file)
  if (source.problems.length > 0) return { problems: source.problems }
  const acts: unknown = Object(source.value).acts
  const steps = (Array.isArray(acts) ? acts : []).map((step: unknown): unknown[] => {
    const together: unknown = Object(step).together
    return Array.isArray(together) ? together : [step]
  })
  const story = steps.map((step) => step.map(String).filter(isAct))
  const wrong = story.findIndex((step, index) => step.length !== steps[index]?.length)
  const message = wrong >= 0 ? 'unknown act' : isPossible(story) ? null : 'a story that is not possible'
  if (message === null) return { story }
  return { problems: problemsOf([{ path: wrong < 0 ? ['acts'] : ['acts', wrong], message }], source) }
}
