import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { yamlFilesAt } from '../../../src/lifecycle/scenarios/yaml-files.ts'
import { aFolder } from '../../support/folder.ts'

/** A folder with empty files, and links where a target is given. */
function folderWith(entries: Readonly<Record<string, string | null>>): string {
  const folder = aFolder()
  for (const [name, target] of Object.entries(entries)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    if (target === null) writeFileSync(path, '')
    else symlinkSync(target, path)
  }
  return folder
}

/** The found files, relative to the folder. */
function foundIn(folder: string) {
  const { files, ignored } = yamlFilesAt(folder)
  return {
    files: files.map((file) => relative(folder, file)),
    ignored: ignored.map((path) => relative(folder, path)),
  }
}

test('files at any depth are found in a fixed order, with either ending in any case', () => {
  const folder = folderWith({ 'b.yml': null, 'a.YAML': null, 'sub/deeper/c.Yml': null, 'sub/a.yaml': null })
  expect(foundIn(folder)).toEqual({
    files: ['a.YAML', 'b.yml', 'sub/a.yaml', 'sub/deeper/c.Yml'],
    ignored: [],
  })
})

test.each([
  ['._slow.yaml', 'a side file of macOS'],
  ['.#slow.yaml', 'a lock of Emacs'],
  ['.slow.yaml.swp', 'a swap file of Vim'],
  ['.git/hooks/x.yaml', 'a hidden folder'],
  ['..2026_11_27/x.yaml', 'the real folder of a ConfigMap'],
  ['sub/node_modules/x/x.yaml', 'installed packages, at any depth'],
])('%s is skipped without a word: %s', (name) => {
  expect(foundIn(folderWith({ [name]: null }))).toEqual({ files: [], ignored: [] })
})

test.each([
  ['notes.txt', null, 'notes.txt'],
  ['x.yaml.bak', null, 'x.yaml.bak'],
  ['x.yaml~', null, 'x.yaml~'],
  ['x.json', null, 'x.json'],
  ['yaml', null, 'yaml'],
  ['sub/notes.txt', null, 'sub/notes.txt'],
  ['x.yaml', 'nowhere', 'x.yaml (a link without a target)'],
  ['x.yaml', '/', 'x.yaml (a link to a folder)'],
  ['all', '.', 'all (a link to a folder)'],
  ['notes', '/etc/passwd', 'notes'],
])('%s -> %j is ignored and named', (name, target, shown) => {
  expect(foundIn(folderWith({ [name]: target }))).toEqual({ files: [], ignored: [shown] })
})

test('a link in a circle is named with the reason', () => {
  const { files, ignored } = foundIn(folderWith({ 'x.yaml': 'x.yaml' }))
  expect(files).toEqual([])
  expect(ignored).toEqual([expect.stringMatching(/^x\.yaml \(a link that cannot be followed: ELOOP/)])
})

test('links to files are followed, as a mounted ConfigMap has them', () => {
  const folder = folderWith({
    '..2026/slow.yaml': null,
    '..data': '..2026',
    'slow.yaml': '..data/slow.yaml',
  })
  expect(foundIn(folder)).toEqual({ files: ['slow.yaml'], ignored: [] })
  expect(yamlFilesAt(folder).links).toEqual([join(folder, 'slow.yaml')])
})

test.each(['x.json', '.hidden.yaml', 'node_modules', 'x.txt'])('%s is read when it is named', (name) => {
  const file = join(folderWith({ [name]: null }), name)
  expect(yamlFilesAt(file).files).toEqual([file])
})

test('a folder that is named is searched, whatever it is called, and through a link', () => {
  const folder = folderWith({ '.hidden/x.yaml': null, 'node_modules/x.yaml': null, link: '.hidden' })
  for (const name of ['.hidden', 'node_modules', 'link'])
    expect(foundIn(join(folder, name)).files).toEqual(['x.yaml'])
})

test('where nothing is, nothing is found', () => {
  const nothing = { files: [], links: [], folders: [], ignored: [], problems: [] }
  expect(yamlFilesAt(join(aFolder(), 'x'))).toEqual(nothing)
})

test('a path that cannot be looked at is a problem', () => {
  const path = join(folderWith({ loop: 'loop' }), 'loop')
  expect(yamlFilesAt(path).problems).toMatchObject([
    { file: path, message: expect.stringContaining('ELOOP') },
  ])
})
