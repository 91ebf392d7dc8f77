import type { Environment } from './terminal.ts'

/** Whether to write in colour: FORCE_COLOR says so or not (0, false) before anything else, then NO_COLOR says no; where
 *  neither is set it depends on the terminal. An empty variable is none (https://no-color.org).
 *  @param terminal whether this is a terminal that knows colours */
export function wantsColours(
  { FORCE_COLOR: force = '', NO_COLOR: no = '' }: Environment,
  terminal: boolean,
): boolean {
  if (force !== '') return !['0', 'false'].includes(force)
  return no === '' && terminal
}
