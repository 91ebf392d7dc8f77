import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { referencePage } from '../../src/pages/reference/page.tsx'
import { isObject } from '../support/answer.ts'
import { startTestEmulator, type TestEmulator } from '../support/emulator.ts'

const pageOf = async (emulator: TestEmulator) => (await emulator.control('/docs')).text

test('every call of both documents is on the page', async () => {
  const emulator = await startTestEmulator()
  const page = await pageOf(emulator)
  for (const [prefix, path] of [
    ['service-', '/openapi.json'],
    ['control-', '/openapi-control.json'],
  ] as const) {
    const { json } = await emulator.control(path)
    const items = Object.values(Object(json.paths)).flatMap((item) => Object.values(Object(item)))
    const ids = items.filter(isObject).map(({ operationId }) => String(operationId))
    expect(ids.length).toBeGreaterThan(5)
    expect(ids.filter((id) => !page.includes(`id="${prefix}${id}"`))).toEqual([])
  }
})

test('every link within the page leads somewhere', async () => {
  const page = await pageOf(await startTestEmulator())
  const ids = new Set([...page.matchAll(/ id="([^"]*)"/g)].map((match) => match[1]))
  const links = [...page.matchAll(/ href="#([^"]*)"/g)].map((match) => match[1])
  expect(links.length).toBeGreaterThan(100)
  expect(links.filter((link) => !ids.has(link))).toEqual([])
})

test('no anchor is there twice', async () => {
  const page = await pageOf(await startTestEmulator())
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map((match) => match[1])
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

test('the page loads nothing but its own stylesheet, and no browser would let it', async () => {
  const emulator = await startTestEmulator()
  const { text, headers } = await emulator.control('/docs')
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'self';/)
  expect(text.match(/<script|\ssrc=|\sstyle=|\son\w+=|javascript:|@import/gi)).toBeNull()
  expect([...text.matchAll(/<link[^>]*href="([^"]*)"/g)].map((match) => match[1])).toEqual(['docs.css'])
  const style = await emulator.control('/docs.css')
  expect(style.headers['content-type']).toMatch(/^text\/css/)
  expect(style.text).not.toMatch(/url\(|@import/)
})

test('what the documents and the address say is text, never markup', () => {
  const bad = '<img src=x onerror=alert(1)>"\''
  const operation = {
    operationId: bad,
    summary: bad,
    description: bad,
    tags: [bad],
    parameters: [{ name: bad, in: 'query', required: true, description: bad, schema: { enum: [bad] } }],
    requestBody: { content: { [bad]: { schema: { $ref: `#/${bad}`, example: bad } } } },
    responses: { [bad]: { description: bad } },
  }
  const document = JSON.stringify({
    info: { title: bad, version: bad, description: bad },
    tags: [{ name: bad, description: bad }],
    paths: { [bad]: { post: operation } },
    components: { schemas: { [bad]: { description: bad } } },
  })
  const page = referencePage({ service: document, control: document }, `http://${bad}`)
  expect(page).toContain('&lt;img')
  expect(page).not.toContain('<img')
  expect(page).not.toContain('(1)>')
})

test('both effects of a planned fault are listed with their members', async () => {
  const section = sectionOf(await pageOf(await startTestEmulator()), 'control-planFault')
  expect(section).toContain('effect on a call or effect on a delivery')
  for (const member of ['status', 'reset', 'drop', 'duplicate', 'countAs'])
    expect(section).toContain(`<code>effect.${member}</code>`)
})

test('a snapshot goes into a file and comes from there', async () => {
  const page = await pageOf(await startTestEmulator())
  expect(commandIn(page, 'control-takeSnapshot')).toMatch(/^curl -o snapshot\.json '[^']*\/snapshot'$/)
  expect(commandIn(page, 'control-restoreSnapshot')).toContain('--data-binary @snapshot.json')
})

test('a stream of events is shown as it comes', async () => {
  expect(commandIn(await pageOf(await startTestEmulator()), 'control-listenToEvents')).toMatch(/^curl -N /)
})

test('what is emulated stands before what controls it, and the list of calls is closed at first', async () => {
  const page = await pageOf(await startTestEmulator())
  expect(page.indexOf('href="#service-"')).toBeLessThan(page.indexOf('href="#control-"'))
  expect(page).not.toContain('<details open')
})

test('a length that nothing is said about is left out', async () => {
  const page = await pageOf(await startTestEmulator())
  expect(page).not.toContain('Not empty.')
  const section = sectionOf(page, 'control-planFault')
  expect(section).toContain('<code>where.requestId</code>')
  expect(section).not.toContain('At most 200 characters.')
})

test('the command for a checkout order works when it is pasted', async () => {
  const emulator = await startTestEmulator()
  const page = await pageOf(emulator)
  const command = commandIn(page, 'service-createCheckoutOrder')
  expect(command).toContain(emulator.url)
  const sent = argumentsOf(command)
  const headers = Object.fromEntries(
    sent.filter((each) => /^[\w-]+: /.test(each)).map((each) => each.split(': ')),
  )
  const answer = await emulator.send(new URL(sent[2] ?? '').pathname, {
    method: sent[1] ?? '',
    headers,
    body: sent.at(-1),
  })
  expect(answer.json).toMatchObject({ requestId: 'r1', status: 'CREATED' })
})

const sectionOf = (page: string, id: string): string =>
  page.slice(page.indexOf(`id="${id}"`)).split('</section>')[0] ?? ''

const commandIn = (page: string, id: string): string =>
  unescaped(/<pre[^>]*>([^<]*)<\/pre>/.exec(sectionOf(page, id))?.[1] ?? '')

/** The arguments of a command, as the shell hands them on. */
const argumentsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', `set -- ${command.replace(/^curl /, '')}; printf '%s\\n' "$@"`], {
    encoding: 'utf8',
  })
    .trimEnd()
    .split('\n')

const unescaped = (html: string): string =>
  html
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
