import type { ConfigurationProblem } from '../../conform/index.ts'
import { plainLine } from '../../conform/report/lines.ts'
import { codeFrame } from '../check/code-frame.ts'
import { painter } from '../log/paint.ts'
import type { Terminal } from '../terminal.ts'
import type { ChosenConfig } from './chosen-config.ts'

/** What is wrong with a configuration, each with the place where it stands, if it stands in a file. */
export function problemsText(
  problems: readonly ConfigurationProblem[],
  written: ChosenConfig['written'],
  { colours }: Terminal,
): string {
  const paint = painter(colours)
  const told = problems.map(({ member, message }) => {
    if (written === null) return `${paint('bold', member)}: ${paint('red', plainLine(message))}`
    const { file, text, source } = written
    const problem = { file, ...source.locate(member.split('.')), message: `${member}: ${message}` }
    return codeFrame(problem, text, colours)
  })
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
  return [...told, `No test case ran: the configuration has ${count}.`].join('\n\n')
}
