import { problemsOf, readYaml, type SourceProblem } from '../../domain/text/yaml-source.ts'
import { parseStory, type ReadStory } from './parse-story.ts'

/** Reads a story file.
 *  @param file the file name in problems */
export function readStoryFile(
  text: string,
  file: string,
): ReadStory | { readonly problems: readonly SourceProblem[] } {
  const source = readYaml(text, file)
  if (source.problems.length > 0) return { problems: source.problems }
  const { value } = source
  if (value === null) return { problems: [{ file, line: 1, column: 1, message: emptyFile }] }
  const read = parseStory(value)
  return 'problems' in read ? { problems: problemsOf(read.problems, source) } : read
}

const emptyFile = 'is empty; a story file needs `promise` and `acts`'
