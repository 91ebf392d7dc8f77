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

test('the command for a checkout order works when it is pasted', async () => {
  const emulator = await startTestEmulator()
  const page = await pageOf(emulator)
  const section = page.slice(page.indexOf('id="service-createCheckoutOrder"'))
  const command = unescaped(/<pre[^>]*>([^<]*)<\/pre>/.exec(section)?.[1] ?? '')
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
