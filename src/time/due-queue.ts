import type { EpochMs } from '../domain/time.ts'

/** Work that becomes due on a client's clock. The table behind it is the truth; timers are only hints. */
export interface DueQueue {
  /** When the client's earliest thing that could start is due, also in the past; null if there is none. */
  nextDue(clientId: string): Promise<EpochMs | null>
  /** Starts what was due at or before `until`, by due time; answers how many things it started. Quick things are
   *  done when it resolves; slow ones (deliveries) go on and are seen through `busy`. */
  start(clientId: string, until: EpochMs): Promise<number>
  /** A promise for the end of something that this client waits for; null if it waits for nothing. */
  busy(clientId: string): Promise<void> | null
}
