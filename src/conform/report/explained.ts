import type { CaseResult } from '../report.ts'
import { explanationOf } from './explanation.ts'
import { explanationText } from './explanation-text.ts'
import { paletteOf } from './palette.ts'

/** A verdict with everything that somebody needs to understand it, for a message or a file: without colours, and without
 *  a width, because whoever shows it breaks its lines. @param bodyCharacters so much is shown of a body */
export function explained(result: CaseResult, bodyCharacters = 2_000): string {
  const { id, title, note, finding } = result
  if (finding === null) return [`${id} ${title}`, note].filter((part) => part !== null).join(': ')
  const style = { columns: null, palette: paletteOf(false) }
  return explanationText(explanationOf(result, finding, bodyCharacters), style)
}
