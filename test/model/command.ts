import fc from 'fast-check'
import { clientIds, type World } from './world.ts'

/** Something that is done to the emulator and to the model alike. */
export interface Command {
  readonly name: string
  /** The whole command, for the report of a failing run. */
  readonly words: string
  /** Does it to both and compares what the emulator answers; what can be seen afterwards is compared by others.
   *  Makes sense in every state, so that any command can be left out of a run. */
  readonly act: (world: World) => Promise<void>
}

/** A kind of command: its parameters, its words, its effect. */
export interface Kind<P> {
  readonly name: string
  /** How often it is drawn, against the others. */
  readonly weight: number
  readonly parameters: fc.Arbitrary<P>
  readonly words: (parameters: P) => string
  readonly act: (world: World, parameters: P) => Promise<void>
}

/** Commands of a kind, as the table of commands takes them. */
export function commandsOf<P>(kind: Kind<P>): fc.WeightedArbitrary<Command> {
  const { name, weight, parameters, words, act } = kind
  const arbitrary = parameters.map((drawn) => ({
    name,
    words: `${name} ${words(drawn)}`.trim(),
    act: (world: World) => act(world, drawn),
  }))
  return { arbitrary, weight }
}

export const anyClient = fc.constantFrom(...clientIds)
