import { chmodSync, copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contents } from '../store/folders.ts'
import { endingOf } from './support/endings.ts'
import { report } from './support/figures.ts'
import { preload } from './support/killers.ts'
import { aFolder } from './support/load.ts'
import { startProgram } from './support/program.ts'
import { aDatabase, createMany, missingFolder, stopped, unusableFiles } from './support/unusable-files.ts'

test('what is no usable database is refused with exit code 2 and one line, and stays as it was', async () => {
  const database = await aDatabase()
  const refusals: Refusal[] = []
  for (const [name, lay] of unusableFiles) {
    const inside = aFolder()
    const file = name === missingFolder ? join(inside, 'missing', 'e.db') : join(inside, 'e.db')
    const words = await lay(file, database)
    refusals.push(await refused(name, { inside, file, words }))
  }
  refusals.push(await refusedUnprivileged('a read-only folder', database, { folder: 0o555, file: 0o666 }))
  refusals.push(await refusedUnprivileged('a read-only file', database, { folder: 0o777, file: 0o444 }))
  refusals.push(await refusedUnprivileged('an unreadable file', database, { folder: 0o777, file: 0o000 }))
  refusals.push(await refusedWhileInUse())

  const good = refusals.filter(({ problems }) => problems.length === 0)
  report({
    area: 'files',
    promise: 'What is no usable database is refused with one line that says what to do, and left as it was',
    test: 'test/hard/files.test.ts',
    figures: { 'kinds of files': refusals.length, 'refused and untouched': good.length },
  })
  expect(refusals.flatMap(({ problems }) => problems)).toEqual([])
})

interface Refusal {
  readonly problems: readonly string[]
}

async function refused(
  name: string,
  {
    inside,
    file,
    words,
    nodeArgs = [],
  }: { inside: string; file: string; words: RegExp; nodeArgs?: string[] },
): Promise<Refusal> {
  const before = folderText(inside)
  const { end, ready, stdout, stderr } = await endingOf(['--database', file], { nodeArgs })
  const checks: readonly (readonly [boolean, string])[] = [
    [!ready && end === 2, `ended with ${end}${ready ? ', ready' : ''}`],
    [stdout === '', `wrote ${stdout}`],
    [/^error: The database ".*" .*\. .*\.\n$/.test(stderr) && words.test(stderr), `said ${stderr}`],
    [folderText(inside) === before, 'changed the folder'],
  ]
  return { problems: checks.flatMap(([holds, problem]) => (holds ? [] : [`${name}: ${problem}`])) }
}

async function refusedUnprivileged(
  name: string,
  database: string,
  modes: { folder: number; file: number },
): Promise<Refusal> {
  const outer = aFolder()
  const inside = join(outer, 'inside')
  mkdirSync(inside)
  const file = join(inside, 'e.db')
  copyFileSync(database, file)
  const before = folderText(inside)
  chmodSync(outer, 0o755)
  chmodSync(file, modes.file)
  chmodSync(inside, modes.folder)
  const { end, stderr } = await endingOf(['--database', file], { nodeArgs: preload('unprivileged.ts') })
  chmodSync(inside, 0o755)
  chmodSync(file, 0o600)
  const unchanged = folderText(inside) === before
  const said = /^error: The database ".*" (cannot be read and written|is in a read-only folder).*\. .*\.\n$/
  const good = end === 2 && said.test(stderr) && unchanged
  return { problems: good ? [] : [`${name}: ended with ${end}, said ${stderr}, unchanged ${unchanged}`] }
}

async function refusedWhileInUse(): Promise<Refusal> {
  const inside = aFolder()
  const file = join(inside, 'e.db')
  const program = await startProgram(['--clock', 'manual', '--database', file])
  const words = new RegExp(`in use by process ${program.child.pid} on .*Stop that process`)
  // The stopped process keeps its lock and changes nothing.
  program.child.kill('SIGSTOP')
  const refusals = [await refused('a second process', { inside, file, words })]
  // The refusal has not taken the lock from the first.
  refusals.push(await refused('a third process', { inside, file, words }))
  program.child.kill('SIGCONT')
  await createMany(program.url)
  await stopped(program)
  return { problems: refusals.flatMap(({ problems }) => problems) }
}

/** Names and hashes. Of an owner's `-shm` file only the name: SQLite notes in it who reads. */
function folderText(folder: string): string {
  const hashes = Object.entries(contents(folder))
  return hashes.map(([name, hash]) => (name.endsWith('-shm') ? name : `${name} ${hash}`)).join('\n')
}
