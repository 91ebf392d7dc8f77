import { readFileSync, statSync } from 'node:fs'
import type { Config } from '../../config.ts'
import type { SettingsOverlay } from '../../domain/choices.ts'
import { readSettingsFile } from '../../domain/settings-file.ts'
import { fileText, tooLarge } from '../../domain/text-limits.ts'
import { formatProblem } from '../../domain/yaml-source.ts'
import { GiveUp } from '../give-up.ts'
import type { ServeOptions } from './options.ts'

/** The configuration with the settings of the file that `--settings` names. @throws GiveUp */
export const withSettings = ({ config, settingsFile }: ServeOptions): Config =>
  settingsFile === undefined ? config : { ...config, settings: loadSettings(settingsFile) }

/** Reads the file that `--settings` names. @throws GiveUp with a line `file:line:column: ...` per problem */
export function loadSettings(file: string): SettingsOverlay {
  const reading = readSettingsFile(textOf(file), file)
  if ('problems' in reading) throw new GiveUp(2, reading.problems.map(formatProblem).join('\n'))
  return reading.overlay
}

function textOf(file: string): string {
  try {
    if (statSync(file).size > fileText.bytes) throw new Error(`it ${tooLarge(fileText)}`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new GiveUp(2, `error: cannot read the settings file ${JSON.stringify(file)}: ${reasonOf(error)}`)
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? error.code : ''
  return code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : error.message
}
