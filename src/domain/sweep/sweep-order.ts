import type { Behaviour } from './behaviour.ts'

/** What a sweep wants of an emulator. */
export interface SweepOrder {
  readonly behaviours: readonly Behaviour[]
  /** A file to which each emulator of the run appends JSON lines; several processes may share it. */
  readonly record: string
  /** Draws what behaviours leave to chance, the same in all emulators of the sweep. */
  readonly seed: string
}
