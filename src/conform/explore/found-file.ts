import { plainLine } from '../report/lines.ts'
import type { FoundStory } from './report.ts'

/** The schema for editors, from the folder `found/` of a project. */
const schemaFile = '../node_modules/payment-order-emulator/conform/story.schema.json'

/** Writes a found story as a file that `conform --story` plays.
 *  @param about the seed of the search */
export function storyFileText(
  { promise, title, did, repeats, beside, acts }: FoundStory,
  { seed }: { readonly seed: string },
): string {
  const plays = 'plays with: payment-order-emulator conform --story <this file>'
  return [
    `# yaml-language-server: $schema=${schemaFile}`,
    `# ${title}: ${plainLine(did)}. Found by payment-order-emulator explore; ${plays}`,
    `promise: ${promise}`,
    `seed: ${isPlain(seed) ? seed : JSON.stringify(seed)}`,
    `repeats: ${repeats.broke} of ${repeats.of}`,
    ...(beside === 1 ? [] : [`beside: ${beside}`]),
    'acts:',
    ...acts.map((step) =>
      typeof step === 'string' ? `  - ${step}` : `  - together: [${step.together.join(', ')}]`,
    ),
    '',
  ].join('\n')
}

/** Whether YAML reads a text as it is, and not as a number or another value. */
const isPlain = (text: string): boolean =>
  /^[0-9a-z]+$/.test(text) && /[a-z]/.test(text) && !/^(\d+e\d+|0[xo].*|true|false|null)$/.test(text)

/** The usual name of the file of a found story: `released-twice.yaml`. */
export const storyFileName = ({ title }: Pick<FoundStory, 'title'>): string =>
  `${title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')}.yaml`
