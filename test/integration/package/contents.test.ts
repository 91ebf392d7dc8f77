import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import Database from 'better-sqlite3'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { linksOf } from '../../docs/links.ts'
import { leftOver, ownFiles, packed } from '../support/tarball.ts'

const megabyte = 1_000_000
let tarball: Buffer
/** The files of the package by their name in it. */
let files: ReadonlyMap<string, Buffer>

beforeAll(async () => {
  tarball = readFileSync(await packed())
  files = unpack(gunzipSync(tarball))
})

/** Kinds of files that exist in numbers: program parts, scenarios, fixtures, settings, manual pages, examples. */
const many = [
  /^dist\/[\w-]+-[0-9A-Z]{8}\.js$/,
  /^(scenarios|fixtures|docs\/settings)\/[\w-]+\.yaml$/,
  /^docs\/[\w/-]+\.md$/,
  /^examples\//,
]

test('the package holds the program, the library, scenarios, fixtures, manual and examples, and nothing else', () => {
  const single = [...files.keys()].filter((name) => !many.some((pattern) => pattern.test(name)))
  expect(single.sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'conform/schema.json',
    'conform/story.schema.json',
    'dist/THIRD-PARTY-LICENSES.txt',
    'dist/cli.js',
    'dist/conform-config.js',
    'dist/conform-fetch.js',
    'dist/conform-signing.js',
    'dist/conform-story.js',
    'dist/conform.cjs',
    'dist/conform.d.cts',
    'dist/conform.d.ts',
    'dist/conform.js',
    'dist/conformance.js',
    'dist/engine.js',
    'dist/http-client.js',
    'dist/index.cjs',
    'dist/index.d.cts',
    'dist/index.d.ts',
    'dist/index.js',
    'dist/learn.js',
    'dist/library.js',
    'dist/main.js',
    'dist/prebuilds/darwin-arm64.node',
    'dist/prebuilds/darwin-x64.node',
    'dist/prebuilds/linux-arm64.node',
    'dist/prebuilds/linux-x64.node',
    'dist/prebuilds/linuxmusl-arm64.node',
    'dist/prebuilds/linuxmusl-x64.node',
    'dist/prebuilds/win32-arm64.node',
    'dist/prebuilds/win32-x64.node',
    'dist/require-node.js',
    'dist/sbom.cdx.json',
    'dist/webhook-reader.js',
    'docs/llms.txt',
    'fixtures/schema.json',
    'fixtures/snapshot.schema.json',
    'package.json',
    'scenarios/schema.json',
    'skills/payment-order-emulator/SKILL.md',
  ])
})

test('nothing of earlier builds or of what was tried is in the package', () => {
  expect(leftOver.filter((name) => files.has(name))).toEqual([])
})

test('the examples are in the package, without their lock files', () => {
  const isExample = (name: string) => name.startsWith('examples/')
  const own = ownFiles().filter((name) => isExample(name) && !/(package-lock\.json|\.gitignore)$/.test(name))
  expect([...files.keys()].filter(isExample).sort()).toEqual(own.toSorted())
})

test('every link of the manual leads to what is in the package, but for pictures, which would make it larger', () => {
  const pages = [...files.keys()].filter((name) => name.endsWith('.md'))
  const links = pages.flatMap((page) => linksOf(textOf(page)).map((path) => ({ page, path })))
  const dead = links.filter(({ page, path }) => !holds(posix.join(posix.dirname(page), path)))
  expect(links.length).toBeGreaterThan(200)
  expect(dead.filter(({ path }) => !path.startsWith('docs/images/'))).toEqual([])
})

/** Whether a file or a folder is in the package. */
function holds(path: string): boolean {
  const folder = path.replace(/\/?$/, '/')
  return files.has(path) || [...files.keys()].some((name) => name.startsWith(folder))
}

test('importing the library loads no engine: less than 400 kB', () => {
  for (const entry of ['dist/index.js', 'dist/index.cjs']) {
    const loaded = [...loadedBy(entry)]
    const bytes = loaded.reduce((sum, name) => sum + textOf(name).length, 0)
    expect(bytes, loaded.join(', ')).toBeGreaterThan(20_000)
    expect(bytes, loaded.join(', ')).toBeLessThan(400_000)
  }
})

test.each(['dist/conform.js', 'dist/conform.cjs'])('%s has no second library in it', (entry) => {
  const library = [...loadedBy('dist/index.js')]
  const own = [...loadedBy(entry)].filter((name) => !library.includes(name))
  const text = own.map(textOf).join('\n')
  expect(text).toContain('// src/conform/run/conformance.ts')
  expect(text).not.toContain('// src/testing/')
  expect(text.length, own.join(', ')).toBeLessThan(800_000)
})

test('the package is no larger than its binaries make it', () => {
  const unpackedBytes = [...files.values()].reduce((sum, { length }) => sum + length, 0)
  expect(tarball.length / megabyte).toBeLessThan(11)
  expect(unpackedBytes / megabyte).toBeLessThan(24.5)
})

test('the package depends on nothing and has npm run nothing', () => {
  const manifest = JSON.parse(textOf('package.json'))
  for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies'])
    expect(manifest).not.toHaveProperty(kind)
  for (const event of ['preinstall', 'install', 'postinstall', 'prepare'])
    expect(manifest.scripts).not.toHaveProperty(event)
})

test('every package that was bundled has its licence in the package', () => {
  const licences = textOf('dist/THIRD-PARTY-LICENSES.txt')
  const names = bundledNames()
  expect(names).toContain('better-sqlite3')
  expect(names.length).toBeGreaterThan(10)
  const unnamed = names.filter((name) => !licences.includes(`\n${name} `))
  expect(unnamed).toEqual([])
})

describe('the list of components, in CycloneDX,', () => {
  const hash = z.strictObject({ alg: z.literal('SHA-512'), content: z.string().regex(/^[0-9a-f]{128}$/) })
  const component = z.strictObject({
    type: z.literal(['application', 'library']),
    'bom-ref': z.string(),
    name: z.string(),
    version: z.string(),
    licenses: z.tuple([
      z.union([
        z.strictObject({ license: z.strictObject({ id: z.string().regex(/^[\w.+-]+$/) }) }),
        z.strictObject({ expression: z.string().regex(/ (OR|AND|WITH) /) }),
      ]),
    ]),
    hashes: z.array(hash).optional(),
    cpe: z.string().optional(),
    purl: z.string().regex(/^pkg:(npm|generic)\/(%40[\w.-]+\/)?[\w.-]+@[\w.+-]+$/),
  })
  const list = z.strictObject({
    $schema: z.literal('http://cyclonedx.org/schema/bom-1.6.schema.json'),
    bomFormat: z.literal('CycloneDX'),
    specVersion: z.literal('1.6'),
    version: z.literal(1),
    metadata: z.strictObject({ component }),
    components: z.array(component),
    dependencies: z.array(z.strictObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
  })
  const listed = () => list.parse(JSON.parse(textOf('dist/sbom.cdx.json')))

  test('is about this package and names each component once, as what it depends on', () => {
    const { metadata, components, dependencies } = listed()
    const { name, version } = JSON.parse(textOf('package.json'))
    expect(metadata.component).toMatchObject({ name, version, purl: `pkg:npm/${name}@${version}` })
    const refs = components.map((one) => one['bom-ref'])
    expect(new Set(refs).size).toBe(refs.length)
    expect(dependencies).toEqual([{ ref: metadata.component['bom-ref'], dependsOn: refs }])
  })

  test('has every package that was bundled, and no other', () => {
    const npm = listed().components.filter(({ purl }) => purl.startsWith('pkg:npm/'))
    expect([...new Set(npm.map(({ name }) => name))].sort()).toEqual(bundledNames().sort())
  })

  test('has the version, the hash and the licence of what is locked', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
    for (const { name, version, hashes, licenses, purl } of listed().components) {
      if (name === 'sqlite') continue
      const locked = packages[`node_modules/${name}`]
      expect({ name, version }).toEqual({ name, version: locked.version })
      const integrity = Buffer.from(hashes?.[0]?.content ?? '', 'hex').toString('base64')
      expect(`sha512-${integrity}`, name).toBe(locked.integrity)
      expect(JSON.stringify(licenses), name).toContain(`"${locked.license}"`)
      expect(decodeURIComponent(purl)).toBe(`pkg:npm/${name}@${version}`)
    }
  })

  test('has the SQLite that the binaries hold', () => {
    const held = new Database(':memory:').prepare('select sqlite_version()').pluck().get()
    expect(listed().components).toContainEqual(
      expect.objectContaining({ name: 'sqlite', version: held, purl: `pkg:generic/sqlite@${held}` }),
    )
  })
})

/** The packages that the code in the package comes from. */
function bundledNames(): string[] {
  // esbuild names each file above its code, and the function that evaluates it by the file.
  const code = [...files].filter(([name]) => /\.c?js$/.test(name)).map(([, bytes]) => bytes.toString())
  const paths = code.flatMap((text) => [
    ...text.matchAll(/(?:^\s*\/\/ |")[^\s"]*node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\/[^\s"]+(?:$|"\()/gm),
  ])
  // Dependencies without a comment in the bundle: embedded as text, or compiled into the binaries.
  const unsaid = ['htmx.org', 'node-addon-api']
  return [...new Set([...paths.flatMap((match) => match[1] ?? []), ...unsaid])]
}

test('publint finds nothing', async () => {
  const { messages, pkg } = await publint({ pack: { tarball: arrayBuffer(tarball) } })
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
})

test('the types are found by every way of resolving them, and are right', async () => {
  const result = await checkPackage(createPackageFromTarballData(tarball))
  expect(result.types).not.toBe(false)
  expect('problems' in result ? result.problems : null).toEqual([])
})

function textOf(name: string): string {
  return files.get(name)?.toString() ?? ''
}

/** A module and all that it imports before it runs itself. */
function loadedBy(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  const text = textOf(name)
  expect(text, `${name} is in the package`).not.toBe('')
  for (const [, path] of text.matchAll(/^(?:import|export)\b[^'"]*?(?:from )?['"]\.\/([^'"]+)['"]/gm))
    loadedBy(`dist/${path}`, found)
  return found
}

const arrayBuffer = ({ buffer, byteOffset, byteLength }: Buffer): ArrayBuffer =>
  new Uint8Array(buffer, byteOffset, byteLength).slice().buffer

/** Reads a tar file as npm writes it. */
function unpack(tar: Buffer): Map<string, Buffer> {
  const found = new Map<string, Buffer>()
  for (let at = 0; tar[at] !== 0; ) {
    const field = (from: number, to: number) =>
      tar
        .toString('latin1', at + from, at + to)
        .replace(/\0.*$/s, '')
        .trim()
    const bytes = Number.parseInt(field(124, 136), 8)
    found.set(field(0, 100).replace(/^package\//, ''), tar.subarray(at + 512, at + 512 + bytes))
    at += 512 * (1 + Math.ceil(bytes / 512))
  }
  return found
}
