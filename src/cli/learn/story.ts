import type { LearnOptions } from '../../learn/learning.ts'
import type { Terminal } from '../terminal.ts'
import type { Flags } from './options.ts'

export async function learnStory(
  _c: readonly string[],
  _f: Flags,
  _o: LearnOptions,
  _t: Terminal,
): Promise<number> {
  return 0
}
