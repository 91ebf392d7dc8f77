import type { Section } from '../frame/section.ts'
import { million } from './million.ts'

/** Resident memory of the program, idle and after a million create calls. */
export const memory: Section = {
  name: 'memory',
  async run(bench) {
    const { idleMb, loadedMb } = await million(bench)
    return [
      { goal: 'memory, idle', values: [idleMb] },
      { goal: 'memory after a million creates', values: [loadedMb] },
    ]
  },
}
