import type { Bench } from '../frame/bench.ts'
import type { Server } from '../frame/server.ts'
import type { RequestShape } from '../load/requests.ts'
import type { Materials } from './materials.ts'

/** A tool that somebody might take, or the emulator itself, as it takes part in the comparison. */
export interface Peer {
  /** Unique; two ways to use the same tool are two peers. */
  readonly name: string
  /** Its npm package; null for what is this project's own. */
  readonly package: string | null
  /** What it does with a create call, in a few words for the table. */
  readonly work: string
  /** Whether a lookup can find what a create call has left, so that it matters how much is stored. */
  readonly keepsOrders: boolean
  /** It is no tool, but the least that a program on our stack has to do. */
  readonly isFloor?: boolean
  readonly create: RequestShape
  readonly lookup: RequestShape
  /** How many times as well the emulator is to do, in creates per second and in memory after the load. */
  readonly aims?: { readonly creates: number; readonly memory?: number }
  /** What has to be installed for it besides its package, if it is not there. */
  missing?(): string | null
  /** Lays out the files that it starts with: fresh ones, so that every start is the first.
   *  @param bench of this start alone
   *  @param stored how many orders it has from the beginning, where it keeps any
   *  @returns what starts it */
  prepare(bench: Bench, materials: Materials, stored: number): Start | Promise<Start>
}

/** Starts a tool; ends once it answers. */
type Start = () => Promise<Server>
