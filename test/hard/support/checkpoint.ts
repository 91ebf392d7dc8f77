import { readFileSync } from 'node:fs'
import { endianness } from 'node:os'

/** How far a checkpoint has come, in frames of the write-ahead log. @see https://sqlite.org/walformat.html */
export interface Progress {
  /** Frames that are known to be in the database file. */
  readonly done: number
  /** Frames up to which a checkpoint wanted to copy. Above `done` while one is under way, and if one died. */
  readonly wanted: number
}

/** Where both numbers stand in the `-shm` file, in the machine's byte order. */
const doneAt = 96
const wantedAt = 128
/** The number of bytes in the `-shm` file that hold the progress. */
export const progressBytes = 136

export function progressIn(shm: Buffer): Progress {
  const read = (at: number) => (endianness() === 'LE' ? shm.readUInt32LE(at) : shm.readUInt32BE(at))
  return { done: read(doneAt), wanted: read(wantedAt) }
}

/** The state of a checkpoint after a kill: how many of its pages are in the database file. */
export function leftBy(file: string): Progress & { readonly copied: number; readonly pages: number } {
  const progress = progressIn(readFileSync(`${file}-shm`))
  const [main, log] = [readFileSync(file), readFileSync(`${file}-wal`)]
  const pageBytes = log.readUInt32BE(8)
  const newest = new Map<number, Buffer>()
  for (let frame = progress.done; frame < progress.wanted; frame++) {
    const at = 32 + frame * (24 + pageBytes)
    newest.set(log.readUInt32BE(at), log.subarray(at + 24, at + 24 + pageBytes))
  }
  const copied = [...newest].filter(([page, bytes]) =>
    main.subarray((page - 1) * pageBytes, page * pageBytes).equals(bytes),
  )
  return { ...progress, copied: copied.length, pages: newest.size }
}
