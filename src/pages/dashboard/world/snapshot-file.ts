import { queryText } from '../../../http/request.ts'

/** The file that a snapshot is saved as, and restored from, by button and command alike. */
export const snapshotFile = (clientId: string | undefined): string =>
  clientId === undefined ? 'snapshot.json' : `snapshot-${encodeURIComponent(clientId)}.json`

/** Where a snapshot is read, below the emulator's origin. */
export const snapshotUrl = (clientId: string | undefined): string =>
  `/_emulator/snapshot${queryText({ clientId })}`
