import { parseArgs } from 'node:util'
import type { Section } from './section.ts'

/** What the command line asks for. */
export interface Choice {
  readonly quick: boolean
  /** Names of sections; without them, all that run unasked. */
  readonly only: readonly string[] | undefined
  /** Whether what is measured is written to `results.md`. */
  readonly record: boolean
}

/** Reads the words after `npm run bench --`. @throws Error on an option that there is not */
export function parseChoice(words: readonly string[]): Choice {
  const flag = { type: 'boolean', default: false } as const
  const options = { quick: flag, only: { type: 'string' }, record: flag, 'five-million': flag } as const
  const { values } = parseArgs({ args: [...words], options })
  const only = values['five-million'] ? 'five-million' : values.only
  // A whole run is what the page is for; a part of it may be a trial.
  const record = values.record || (only === undefined && !values.quick)
  return { quick: values.quick, only: only?.split(','), record }
}

/** The sections to run, in their order. @throws Error naming what there is, if one that is asked for is not there */
export function chooseSections(all: readonly Section[], { quick, only }: Choice): Section[] {
  const unknown = only?.find((name) => !all.some((section) => section.name === name))
  if (unknown !== undefined) {
    throw new Error(`there is no section ${unknown}; there are ${all.map(({ name }) => name).join(', ')}`)
  }
  return all.filter(({ name, runs }) =>
    only === undefined ? runs === 'always' || (runs === 'full' && !quick) : only.includes(name),
  )
}
