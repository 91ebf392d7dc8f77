import { execFileSync } from 'node:child_process'
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { aFolder } from '../support/folder.ts'
import { aClient } from './factories.ts'
import { contents, crash, openElsewhere } from './folders.ts'

const open = (file: string) => openSqliteStore({ file, durable: false })

async function aDatabase(folder: string): Promise<string> {
  const file = join(folder, 'w.db')
  const store = await open(file)
  await store.createClient(aClient())
  await store.close()
  return file
}

/** Opens and expects a refusal that leaves the folder as it was. */
async function refused(folder: string, file: string, words: RegExp, kind?: string): Promise<void> {
  const before = contents(folder)
  await expect(open(file), kind).rejects.toThrow(words)
  expect(contents(folder), kind).toEqual(before)
}

describe.skipIf(process.platform === 'win32')(
  'a file that is not ours is neither written nor removed',
  () => {
    const kinds: readonly (readonly [string, (path: string, folder: string) => void])[] = [
      ['a text', (path) => writeFileSync(path, 'notes\n')],
      ['a short text', (path) => writeFileSync(path, 'no')],
      ['a text that begins with a digit', (path) => writeFileSync(path, '12 on the list\nand more\n')],
      ['a database', (path) => aForeignDatabase(path)],
      ['a link to a text', (path, folder) => symlinkSync(aNote(folder), path)],
      ['a link to an empty file', (path, folder) => symlinkSync(aNote(folder, ''), path)],
      ['a link without a target', (path, folder) => symlinkSync(join(folder, 'gone'), path)],
      ['a link to itself', (path) => symlinkSync(path, path)],
      ['a link to a folder', (path, folder) => symlinkSync(folder, path)],
      ['a second name of a text', (path, folder) => linkSync(aNote(folder), path)],
      ['a second name of an empty file', (path, folder) => linkSync(aNote(folder, ''), path)],
      ['a folder', (path) => mkdirSync(path)],
      ['a pipe', (path) => void execFileSync('mkfifo', [path])],
    ]

    /** The target of a link. */
    const note = 'notes.txt'

    function aNote(folder: string, text = 'notes\n'): string {
      const path = join(folder, note)
      writeFileSync(path, text)
      return path
    }

    function aForeignDatabase(path: string): void {
      const sqlite = new Sqlite(path)
      sqlite.exec('pragma application_id = 7; create table theirs (a)')
      sqlite.close()
    }

    const beside = ['-lock', '-lock-wal', '-lock-shm', '-lock-journal', '-owner']
    /** Lays each kind there, one after the other. */
    async function eachRefused(file: string, suffix: string, words: (path: string) => RegExp): Promise<void> {
      const folder = dirname(file)
      for (const [kind, lay] of kinds) {
        lay(file + suffix, folder)
        await refused(folder, file, words(`w\\.db${suffix}`), kind)
        rmSync(file + suffix, { recursive: true })
        rmSync(join(folder, note), { force: true })
      }
    }
    const isNotOurs = (path: string) =>
      new RegExp(`needs ".*${path}", which is not a file of this program\\. Move that`)

    test.each([...beside, '-wal', '-shm', '-journal'])('%s beside a database', async (suffix) => {
      const file = await aDatabase(aFolder())
      await eachRefused(file, suffix, isNotOurs)
      await (await open(file)).close()
    })

    test.each([...beside, '-draft'])('%s where a database is to be made', (suffix) =>
      eachRefused(join(aFolder(), 'w.db'), suffix, isNotOurs),
    )

    test.each(['-wal', '-shm', '-journal'])('%s of a database that is missing', (suffix) =>
      eachRefused(
        join(aFolder(), 'w.db'),
        suffix,
        () => /is missing, but ".*" of an earlier database is there/,
      ),
    )

    test('an empty lock file is used and stays', async () => {
      const folder = aFolder()
      const file = await aDatabase(folder)
      writeFileSync(`${file}-lock`, '')
      const store = await open(file)
      expect((await openElsewhere(file)).line).toContain('is in use by process')
      await store.close()
      expect(readFileSync(`${file}-lock`, 'utf8')).toBe('')
      expect(readdirSync(folder)).toEqual(['w.db', 'w.db-lock'])
    })

    test('a file that has come into the place of ours stays', async () => {
      const folder = aFolder()
      const file = await aDatabase(folder)
      const store = await open(file)
      for (const suffix of ['-owner', '-lock']) {
        rmSync(file + suffix)
        writeFileSync(file + suffix, 'notes')
      }
      await store.close()
      for (const suffix of ['-owner', '-lock']) expect(readFileSync(file + suffix, 'utf8')).toBe('notes')
    })

    test('what an owner file is linked to is not shown', async () => {
      const folder = aFolder()
      const file = await aDatabase(folder)
      const { child } = await openElsewhere(file)
      writeFileSync(join(folder, 'notes.txt'), '12 on secret\n')
      rmSync(`${file}-owner`)
      symlinkSync(join(folder, 'notes.txt'), `${file}-owner`)
      await expect(open(file)).rejects.toThrow('is in use by another process')
      await crash(child)
    })

    test('a database under two names is refused', async () => {
      const folder = aFolder()
      const file = await aDatabase(folder)
      linkSync(file, join(folder, 'backup.db'))
      await refused(folder, file, /has a second name \(a hard link\)/)
      rmSync(join(folder, 'backup.db'))
      await (await open(file)).close()
    })

    test('a database may be named by a link, and its files stand beside the database', async () => {
      const folder = aFolder()
      const file = await aDatabase(folder)
      const other = aFolder()
      symlinkSync(file, join(other, 'link.db'))
      const store = await open(join(other, 'link.db'))
      expect(readdirSync(other)).toEqual(['link.db'])
      expect(readdirSync(folder)).toContain('w.db-lock')
      await store.close()
      expect(readdirSync(folder)).toEqual(['w.db'])
    })
  },
)

describe('what a crash has left is ours', () => {
  const leftovers: readonly (readonly [string, (file: string) => void])[] = [
    ['an empty owner file', (file) => writeFileSync(`${file}-owner`, '')],
    ['an owner file', (file) => writeFileSync(`${file}-owner`, '12 on some-host\n')],
    ['an owner with a long name', (file) => writeFileSync(`${file}-owner`, `12 on ${'h'.repeat(255)}\n`)],
    ['an empty log', (file) => writeFileSync(`${file}-wal`, '')],
    ['a log of zeros', (file) => writeFileSync(`${file}-wal`, Buffer.alloc(4_096))],
    ['an empty index', (file) => writeFileSync(`${file}-shm`, '')],
    ['the beginning of an index', (file) => writeFileSync(`${file}-shm`, Buffer.alloc(3))],
    ['an index of zeros', (file) => writeFileSync(`${file}-shm`, Buffer.alloc(32_768))],
  ]
  test.each(leftovers)('%s beside a database', async (_, lay) => {
    const folder = aFolder()
    const file = await aDatabase(folder)
    lay(file)
    const store = await open(file)
    expect(await store.clients()).toHaveLength(1)
    await store.close()
    expect(readdirSync(folder)).toEqual(['w.db'])
  })

  test.each([0, 4_096, 20_000])('a draft of %i bytes', async (bytes) => {
    const folder = aFolder()
    const file = await aDatabase(folder)
    const draft = `${join(folder, 'new.db')}-draft`
    writeFileSync(draft, readFileSync(file))
    truncateSync(draft, bytes)
    await (await open(join(folder, 'new.db'))).close()
    expect(readdirSync(folder)).toEqual(['new.db', 'w.db'])
  })

  test('a journal of another program that died while it wrote', async () => {
    const folder = aFolder()
    const file = await aDatabase(folder)
    const died = aFolder()
    const sqlite = new Sqlite(file)
    sqlite.exec('pragma journal_mode = delete; pragma cache_size = 1; begin; delete from clients')
    sqlite.exec('create table theirs (a)')
    for (let row = 0; row < 50; row += 1) sqlite.exec('insert into theirs values (randomblob(9000))')
    for (const name of ['w.db', 'w.db-journal'])
      writeFileSync(join(died, name), readFileSync(join(folder, name)))
    sqlite.close()
    const store = await open(join(died, 'w.db'))
    expect(await store.clients()).toHaveLength(1)
    await store.close()
    expect(readdirSync(died)).toEqual(['w.db'])
  })
})
