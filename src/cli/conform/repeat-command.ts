import type { CaseId } from '../../conform/index.ts'
import { shellQuote } from '../shell-quote.ts'
import { type ConformFlags, flagOf, overriding } from './options.ts'

/** The command that runs some cases again as they were run.
 *  @param call how this program was called */
export function repeatCommand(
  call: string,
  ids: readonly CaseId[],
  seed: string,
  { file, over, givenUrl, command }: ConformFlags,
): string {
  const flags = overriding.flatMap((name) => {
    const value = over[name]
    return value === undefined ? [] : [flagOf(name), value]
  })
  const words = [
    ...['conform', ...(file === null ? [] : [file])],
    ...['--only', ids.join(','), '--seed', seed, ...flags],
    ...(givenUrl === null ? [] : ['--url', givenUrl]),
    ...(command === null ? [] : ['--', ...command]),
  ]
  return [call, ...words.map(shellQuote)].join(' ')
}
