import { explanationOf } from './report/explanation.ts'
import { explanationText } from './report/explanation-text.ts'
import { paletteOf } from './report/palette.ts'
import type { CaseResult } from './report.ts'

/** Of a body, a message shows so much. */
const bodyCharacters = 2_000

/** A verdict with everything that somebody needs to understand it, for the message of an error: without colours, and
 *  without a width, because whoever shows it breaks its lines. */
export function explained(result: CaseResult): string {
  const { id, title, note, finding } = result
  if (finding === null) return [`${id} ${title}`, note].filter((part) => part !== null).join(': ')
  const style = { columns: null, palette: paletteOf(false) }
  return explanationText(explanationOf(result, finding, bodyCharacters), style)
}
