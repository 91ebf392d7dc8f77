import type { Generation } from '../domain/generation.ts'
import type { EpochMs } from '../domain/time.ts'

/** Work that becomes due on a client's clock. The table behind it is the truth; timers are only hints. */
export interface DueQueue {
  /** When the client's earliest thing that could start is due, also in the past, of those due later than `after` if
   *  that is given; null if there is none. */
  nextDue(clientId: string, after?: EpochMs): Promise<EpochMs | null>
  /** Starts what was due at or before `until`, by due time; answers how many things it started. Quick things are
   *  done when it resolves; slow ones (deliveries) go on and are seen through `busy`.
   *  @param generation of the world whose clock says that it is due; in another it starts nothing */
  start(clientId: string, until: EpochMs, generation: Generation): Promise<number>
  /** Which things (orders, by their ids) have work that is due at or before `until` or on its way; of some things
   *  only, if `among` names them. */
  unfinished(clientId: string, until: EpochMs, among?: readonly string[]): Promise<string[]>
  /** A promise for the end of something that this client waits for; null if it waits for nothing. */
  busy(clientId: string): Promise<void> | null
  /** Whether what it is busy with ends by somebody else's doing (the receiver of a webhook), who may wait in turn
   *  for something that waits for the clock. */
  readonly waitsForOthers?: boolean
}
