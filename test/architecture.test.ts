import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

/** The rooms and their ladder: a room imports from itself and from rooms on lower lines, never sideways. */
const lineOf: Readonly<Record<string, number>> = {
  domain: 0,
  time: 1,
  store: 1,
  lifecycle: 2,
  http: 2,
  webhooks: 2,
  journal: 2,
  api: 3,
  control: 3,
  pages: 4,
  'begin-worlds.ts': 4,
  'package.ts': 4,
  'config.ts': 4,
  'access.ts': 4,
  'engine.ts': 4,
  'world-changes.ts': 4,
  'demo-client.ts': 4,
  'emulator.ts': 4,
  openapi: 4,
  'reset.ts': 4,
  'server.ts': 4,
  'portless-server.ts': 4,
  'snapshot.ts': 4,
  'taken-snapshots.ts': 4,
  'index.ts': 5,
  testing: 5,
  conform: 6,
  sweep: 6,
  cli: 7,
}

const sources = globSync('src/**/*.{ts,tsx}').map((file) => ({ file, text: readFileSync(file, 'utf8') }))
const roomOf = (file: string) => relative('src', file).split('/')[0] ?? ''

test.each(sources)('$file belongs to a room and imports only downwards', ({ file, text }) => {
  const room = roomOf(file)
  const line = lineOf[room]
  expect(
    line,
    `src/${room} is not a room; add it to docs/explanation/architecture.md and to this table`,
  ).toBeDefined()
  const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) => match[1] ?? '')
  const wrong = imports.filter((path) => {
    const target = roomOf(join(dirname(file), path))
    // The composition root is several files on one line, and so is the library; they see each other.
    const sameLine = (line === 4 || line === 5) && lineOf[target] === line
    return target !== room && !sameLine && !((lineOf[target] ?? Infinity) < (line ?? -1))
  })
  expect(wrong).toEqual([])
})

/** What only one room may touch, and the exceptions with their reason. */
const reserved: readonly [what: string, pattern: RegExp, rooms: readonly string[]][] = [
  [
    'the wall clock and timers',
    /\bDate\.now\b|\bsetTimeout\b|\bsetInterval\b|\bperformance\.now\b/,
    ['time', 'cli'],
  ],
  ['SQL and the database file', /from '(better-sqlite3|drizzle-orm)/, ['store']],
  ['which store there is', /store\/sqlite\//, ['store', 'emulator.ts']],
  [
    'outgoing HTTP',
    /(from |import\()'undici'|(?<!app\.)\bfetch\(/,
    ['webhooks', 'testing', 'index.ts', 'cli', 'conform'],
  ],
  ['the process', /\bprocess\.(exit|argv|env|on|stdout|stderr)\b/, ['cli', 'testing']],
  [
    'chance',
    /\brandom(Bytes|UUID|Int)\b|Math\.random/,
    ['lifecycle', 'control', 'pages', 'testing', 'conform', 'access.ts', 'engine.ts', 'cli'],
  ],
]

/** Code for people to copy: text here, run nowhere. */
const copied = 'src/pages/dashboard/clients/snippets.ts'

test.each(reserved)('%s: only the rooms that own it touch it', (_, pattern, rooms) => {
  const strangers = sources
    .filter(({ file }) => file !== copied)
    .filter(({ file, text }) => pattern.test(text) && !rooms.includes(roomOf(file)))
  expect(strangers.map(({ file }) => file)).toEqual([])
})

test("nothing changes V8's flags while the program runs", () => {
  const changing = sources.filter(({ text }) => text.includes('setFlagsFromString'))
  expect(changing.map(({ file }) => file)).toEqual([])
})

test('conform stands on public surfaces: the library, pure words, and the wall', () => {
  const reached = sources
    .filter(({ file }) => roomOf(file) === 'conform')
    .flatMap(({ file, text }) =>
      [...text.matchAll(/from '(\.[^']+)'/g)].map((match) => roomOf(join(dirname(file), match[1] ?? ''))),
    )
  const allowed = ['conform', 'index.ts', 'domain', 'time', 'package.ts']
  expect([...new Set(reached)].filter((room) => !allowed.includes(room))).toEqual([])
})

test('domain is pure: it imports nothing from Node but hashing', () => {
  const impure = sources
    .filter(({ file }) => roomOf(file) === 'domain')
    .flatMap(({ file, text }) =>
      [...text.matchAll(/from '(node:[^']+)'/g)].map((match) => `${file}: ${match[1]}`),
    )
    .filter((use) => !use.endsWith('node:crypto'))
  expect(impure).toEqual([])
})
