import { createHmac } from 'node:crypto'
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { exampleNames, sweptExamples } from '../../tools/docs/examples.ts'
import { Following, followed } from './following.ts'
import { blocksOf } from './guide.ts'
import { headingNames, linksOf, placesOf } from './links.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const markdownIn = (folder: string) =>
  readdirSync(join(root, folder)).flatMap((name) => (name.endsWith('.md') ? `${folder}/${name}` : []))
const documents = globSync('docs/**/*.md', { cwd: root, exclude: ['docs/site/**'] })

// test/hard/guides.test.ts follows the other guides: each starts several programs.
test('docs/start/first-webhook.md: whoever follows it sees what it shows', () =>
  followed('docs/start/first-webhook.md'))

const startsFrom = (file: string) =>
  blocksOf(read(file)).some(({ language, text }) => language === 'sh' && /\bnpm start\b/.test(text))
const starting = ['README.md', ...documents].filter(startsFrom)

test.each(starting)('%s says how the emulator is started where the package is installed', (file) => {
  expect(read(file)).toContain('`npx payment-order-emulator`')
})

const examples = [
  'examples',
  ...[...exampleNames, ...sweptExamples].map((name) => `examples/${name}`),
].flatMap(markdownIn)
const skill = 'skills/payment-order-emulator/SKILL.md'
const pages = ['README.md', 'CHANGELOG.md', skill, ...documents, ...examples]

test.each(pages)('%s links to what is there', (file) => {
  for (const path of linksOf(read(file))) {
    const there = statSync(join(root, dirname(file), path), { throwIfNoEntry: false })
    expect(there?.size ?? 0, path).toBeGreaterThan(0)
  }
  for (const { path, name } of placesOf(read(file))) {
    const page = path === '' ? file : join(dirname(file), path)
    expect(headingNames(read(page)), `#${name} of ${page}`).toContain(name)
  }
})

test('the skill has the head that agents look for, and under 120 lines', () => {
  const [, name, description = ''] = /^---\nname: (.+)\ndescription: (.+)\n---\n/.exec(read(skill)) ?? []
  expect(name).toBe(basename(dirname(skill)))
  expect(description.length).toBeLessThan(1024)
  expect(read(skill).trimEnd().split('\n').length).toBeLessThan(120)
})

/** The packed files by the first part of their path. This fast check finds dead links before packing; the
 *  integration suite checks the real package. */
const packed = new Set<string>(
  (JSON.parse(read('package.json')).files as string[]).flatMap((name) => name.match(/^[^!/]+/) ?? []),
)

test.each(pages)('%s links to nothing that the package leaves out', (file) => {
  const outside = linksOf(read(file)).filter((path) => {
    const [first = ''] = join(dirname(file), path).split('/')
    return !packed.has(first)
  })
  expect(outside).toEqual([])
})

test('the create call of the README, sent again and signed wrongly, is refused as it says', async () => {
  const session = await Following.begin()
  const blocks = blocksOf(read('README.md'))
  const start = blocks.find(({ mark }) => mark?.value === 'emulator')
  const create = blocks.find(({ text }) => text.includes('/create-order'))
  if (start === undefined || create === undefined) throw new Error('the README starts and creates an order')
  const sent = (text: string) => ({
    ...create,
    text: text.replace('curl ', "curl -w '\\nHTTP %{http_code}\\n' "),
  })
  const shows = (text: string) => ({ ...create, language: 'text', text, mark: null })
  await session.follow(start)
  await session.follow(sent(create.text))
  await session.follow(sent(create.text))
  await session.follow(shows('"code":"7001"\nHTTP 401'))
  const wrong = createHmac('sha256', 'demo-secret').update('fiatAmount=10&requestId=order-1').digest('base64')
  await session.follow(sent(create.text.replace(/signature: [^']+/, `signature: ${wrong}`)))
  await session.follow(shows('Client verification failed\nHTTP 401'))
  const mark = { kind: 'output of', value: 'emulator' }
  await session.follow({ ...create, text: 'you signed `fiatAmount=10`, but the body has `10.00`', mark })
})
