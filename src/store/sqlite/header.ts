import type { BigIntStats } from 'node:fs'
import { DatabaseRefused } from '../database-refused.ts'
import { schemaVersion } from './migrate.ts'
import { checkSideFile, companions, lookAt, readHead } from './side-files.ts'

/** Marks a file as ours: "POEm" in the header of the database. */
export const applicationId = 0x50_4f_45_6d

/** Checks the database and SQLite's files beside it before SQLite opens them: merely opening a file of another
 *  program can change it. Call it as the owner of the file.
 *  @returns undefined if there is no database
 *  @throws {DatabaseRefused} for anything that is neither nothing nor ours
 *  @see https://sqlite.org/fileformat.html#the_database_header */
export function checkHeader(file: string): BigIntStats | undefined {
  const stats = lookAt(file)
  if (!stats) {
    const left = companions.map((suffix) => file + suffix).find((path) => lookAt(path))
    if (left === undefined) return undefined
    throw new DatabaseRefused(
      file,
      `is missing, but ${JSON.stringify(left)} of an earlier database is there`,
      'Put the database back, or remove that file.',
    )
  }
  const header = readHead(file)
  if (header.length === 0)
    throw new DatabaseRefused(
      file,
      'is empty, so it is not a database',
      'Remove it to start with an empty database, or choose another file.',
    )
  if (header.length < headerBytes || !isSqlite(header))
    throw new DatabaseRefused(file, 'is not an SQLite file', anotherFile)
  if (!hasApplicationId(header, applicationId))
    throw new DatabaseRefused(file, 'belongs to another program', anotherFile)
  refuseOtherVersion(file, header.readUInt32BE(60))
  for (const suffix of companions) checkCompanion(file, suffix)
  return stats
}

/** Whether a file with these first bytes is a database with an application id. */
export function hasApplicationId(header: Buffer, id: number): boolean {
  return header.length >= headerBytes && isSqlite(header) && header.readUInt32BE(68) === id
}

/** @throws {DatabaseRefused} if another version of this program, with another schema, has written the database */
export function refuseOtherVersion(file: string, version: number): void {
  if (version === schemaVersion) return
  throw new DatabaseRefused(
    file,
    `has schema version ${version}, but this program reads only version ${schemaVersion}`,
    `Use the ${version > schemaVersion ? 'newer' : 'older'} version that created it, or choose another file.`,
  )
}

const headerBytes = 100
const anotherFile = 'Choose another file, or a name that does not exist yet.'

const isSqlite = (header: Buffer): boolean => header.toString('latin1', 0, 16) === 'SQLite format 3\0'

/** How SQLite's own files begin, in hex. It takes any other for an empty one, and overwrites or removes it. */
const beginnings: Readonly<Record<(typeof companions)[number], readonly string[]>> = {
  '-wal': ['377f0682', '377f0683'],
  // A number in the byte order of the machine that wrote it.
  '-shm': ['18e22d00', '002de218'],
  '-journal': ['d9d505f920a163d7'],
}

function checkCompanion(file: string, suffix: (typeof companions)[number]): void {
  checkSideFile(file, file + suffix, (head) => {
    const begin = head.subarray(0, 8)
    // A crash leaves files without content, and so does SQLite itself.
    return (
      begin.every((byte) => byte === 0) ||
      beginnings[suffix].some((hex) => begin.toString('hex').startsWith(hex))
    )
  })
}
