import { parseArgs } from 'node:util'
import type { Peer } from './peer.ts'

/** What the command line asks for. */
export interface Choice {
  readonly rounds: number
  readonly peers: readonly Peer[]
  /** Whether what is measured is written to `results.md` and the docs: a part of it may be a trial. */
  readonly record: boolean
}

/** Reads the words after `npm run bench:peers --`.
 *  @param all the first of them always takes part
 *  @throws Error on an option or a name that there is not */
export function parseChoice(words: readonly string[], all: readonly Peer[]): Choice {
  const text = { type: 'string' } as const
  const options = { rounds: text, only: text, record: { type: 'boolean', default: false } } as const
  const { values } = parseArgs({ args: [...words], options })
  const { rounds = '5', only } = values
  if (!/^[1-9]\d?$/.test(rounds)) throw new Error(`--rounds takes a number from 1 to 99, not ${rounds}`)
  const peers = only === undefined ? all : chosen(all, only.split(','))
  return {
    rounds: Number(rounds),
    peers,
    record: values.record || (only === undefined && values.rounds === undefined),
  }
}

function chosen(all: readonly Peer[], words: readonly string[]): Peer[] {
  const fits = ({ name }: Peer, word: string) => name.toLowerCase().includes(word.toLowerCase())
  const unknown = words.find((word) => !all.some((peer) => fits(peer, word)))
  if (unknown !== undefined) {
    throw new Error(
      `there is no ${unknown} to compare with; there are ${all.map(({ name }) => name).join('; ')}`,
    )
  }
  return all.filter((peer, index) => index === 0 || words.some((word) => fits(peer, word)))
}
