import type { SettingsOverlay } from '../domain/choices.ts'
import type { EpochMs } from '../domain/time.ts'

/** All that a store keeps at one moment, or all of one client, part by part. */
export interface TakenSnapshot {
  /** Of the store's own form; a later version brings an earlier one up to its own. */
  readonly schema: number
  /** Parts of one table follow each other, and each table has at least one. To be read once and to the end. */
  readonly parts: AsyncIterable<SnapshotTable & { readonly name: string }>
  /** Lets go of it; it need not have been read to the end. */
  close(): Promise<void>
}

/** Rows of a table, each as long as `columns`. */
export interface SnapshotTable {
  readonly columns: readonly string[]
  readonly rows: readonly unknown[]
}

/** A snapshot as it comes from outside. */
export interface GivenSnapshot {
  /** Of the program that took it. */
  readonly version: string
  readonly schema: number
  readonly tables: Readonly<Record<string, SnapshotTable>>
}

/** A snapshot that has been read and found right. Nothing of it has been written yet. */
export interface ReadSnapshot {
  readonly clientIds: readonly string[]
  /** null if it has none of what there is once: it is not of everything. */
  readonly commonSettings: SettingsOverlay | null
  /** Scenarios that came over the control API. */
  readonly scenarioTexts: readonly { readonly id: string; readonly text: string }[]
  /** Finds out whether the client of that name could be written, and changes nothing. Throws `snapshot_taken`. */
  rehearse(clientId: string): Promise<void>
  /** Puts it in place of everything that is kept or, with a clientId, the client of that name in place of the one that
   *  is there. All or nothing. Clocks go on, from `wallNow`, where the snapshot has them; what was in flight or waited
   *  for an answer is due, as after a crash (`Store.recover`). Throws `snapshot_taken` if something of the one client
   *  is another's here. Answers the seed that holds from then on. */
  write(wallNow: EpochMs, clientId?: string): Promise<string>
  /** Lets go of it. */
  close(): void
}
