import type { TestClient } from '../../index.ts'
import type { Application } from '../application/application.ts'
import type { Learned } from './learned.ts'

/** What all cases of a run share. */
export interface Setting {
  readonly client: TestClient
  readonly app: Application
  /** Something new each time, in letters and digits. */
  readonly unique: () => string
  /** A number from 0 up to below `bound`, by the seed of the run and by what it is drawn for. */
  readonly draw: (name: string, bound: number) => number
  /** What is known by now of the application, for the cases to add to. */
  readonly learned: Learned
  /** Puts back what a case has changed of the client: URL, settings, its own token. */
  readonly putBack: () => Promise<void>
  /** Ends the run early. */
  readonly signal: AbortSignal | undefined
}
