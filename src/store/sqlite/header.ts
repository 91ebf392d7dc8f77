import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { DatabaseRefused } from '../database-refused.ts'
import { companions } from './location.ts'
import { schemaVersion } from './migrate.ts'

/** Marks a file as ours: "POEm" in the header of the database. */
export const applicationId = 0x50_4f_45_6d

/** Looks at what stands where the database is to be, before SQLite opens it: merely opening a file of another
 *  program can change it. Call it as the owner of the file.
 *  @returns whether there is a database
 *  @throws {DatabaseRefused} for anything that is neither nothing nor ours
 *  @see https://sqlite.org/fileformat.html#the_database_header */
export function checkHeader(file: string): boolean {
  const header = readHeader(file)
  if (!header) {
    const left = companions.map((suffix) => file + suffix).find((path) => existsSync(path))
    if (left === undefined) return false
    throw new DatabaseRefused(
      file,
      `is missing, but ${JSON.stringify(left)} of a former one is there`,
      'Put the database back, or remove that file.',
    )
  }
  if (header.length === 0)
    throw new DatabaseRefused(
      file,
      'is empty, which no database is',
      'Remove it to start anew, or choose another file.',
    )
  if (header.length < headerBytes || header.toString('latin1', 0, 16) !== 'SQLite format 3\0')
    throw new DatabaseRefused(file, 'is not an SQLite file', anotherFile)
  if (header.readUInt32BE(68) !== applicationId)
    throw new DatabaseRefused(file, 'belongs to another program', anotherFile)
  refuseNewer(file, header.readUInt32BE(60))
  return true
}

/** @throws {DatabaseRefused} if a later version of this program has written the database */
export function refuseNewer(file: string, version: number): void {
  if (version <= schemaVersion) return
  throw new DatabaseRefused(
    file,
    `has schema version ${version}, and this program knows versions up to ${schemaVersion}`,
    'Use the newer program that made it, or choose another file.',
  )
}

const headerBytes = 100
const anotherFile = 'Choose another file, or a name that does not exist yet.'

/** The file's first bytes; null without a file. */
function readHeader(file: string): Buffer | null {
  if (!existsSync(file)) return null
  const opened = openSync(file, 'r')
  try {
    const header = Buffer.alloc(headerBytes)
    return header.subarray(0, readSync(opened, header, 0, headerBytes, 0))
  } finally {
    closeSync(opened)
  }
}
