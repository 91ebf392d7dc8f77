import { readSettings, type SettingsOverlay } from './choices.ts'
import { problemsOf, readYaml, type SourceProblem } from './yaml-source.ts'

/** Reads the text of a settings file, as `--settings` names it: settings for all clients, in groups or by dotted
 *  name. An empty file sets nothing.
 *  @param file the name that problems carry */
export function readSettingsFile(
  text: string,
  file: string,
): { overlay: SettingsOverlay } | { problems: readonly SourceProblem[] } {
  const source = readYaml(text, file)
  if (source.problems.length > 0) return { problems: source.problems }
  const reading = readSettings(source.value ?? {}, { scope: 'common', nulls: 'refuse' })
  return reading.ok ? { overlay: reading.overlay } : { problems: problemsOf(reading.problems, source) }
}
