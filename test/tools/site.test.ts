import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { problemsOf } from '../../tools/site/check.ts'
import { linked, pageOf, targetsOf } from '../../tools/site/map.ts'
import { startTabs, withStartTabs } from '../../tools/site/start-forms.ts'
import { aFolder } from '../support/folder.ts'

const isFolder = (path: string) => path === 'examples/vitest'

test.each([
  ['README.md', 'index.md'],
  ['docs/index.md', 'overview.md'],
  ['docs/start/concepts.md', 'start/concepts.md'],
  ['examples/README.md', 'examples/index.md'],
  ['scenarios/happy.yaml', 'scenarios/happy.yaml.md'],
  ['examples/vitest', 'examples/vitest/index.md'],
])('the site has %s as %s', (path, page) => {
  expect(pageOf(path, isFolder(path))).toBe(page)
})

test('links of the manual lead to pages of the site, wherever they led to', () => {
  const page = '[a](../start/concepts.md#order) [b](../../scenarios/happy.yaml) [c](../../examples/vitest)'
  const file = 'docs/how-to/x.md'
  expect(linked(page, file, isFolder)).toBe(
    '[a](../start/concepts.md#order) [b](../scenarios/happy.yaml.md) [c](../examples/vitest/index.md)',
  )
  expect(targetsOf(page, file)).toEqual(['docs/start/concepts.md', 'scenarios/happy.yaml', 'examples/vitest'])
})

test('the README’s links and pictures lose their folder; other sites, places and code stay', () => {
  const page = '[a](docs/index.md) <img src="docs/images/a.png"> [b](https://example.com) [c](#start)'
  const code = '\n```sh\ncat [a](docs/x.md)\n```\n'
  expect(linked(page + code, 'README.md', isFolder)).toBe(
    `[a](./overview.md) <img src="./images/a.png"> [b](https://example.com) [c](#start)${code}`,
  )
})

const tabsOf = (markdown: string) =>
  Object.fromEntries(
    [...markdown.matchAll(/^```sh \[(\w+)\]\n([\s\S]*?)\n```$/gm)].map(([, tab, code]) => [tab, code]),
  )

test('a command of the emulator is shown in each way to start it', () => {
  expect(tabsOf(withStartTabs('```sh\nnpm start -- --clock manual\n```'))).toEqual({
    npx: 'npx payment-order-emulator --clock manual',
    Docker: expect.stringMatching(/\ndocker run .*4600:4600 .* payment-order-emulator --clock manual$/),
    Clone: 'npm start -- --clock manual',
  })
  expect(tabsOf(withStartTabs('```sh\nnpm start -- listen\n```'))).toMatchObject({
    Docker: 'docker exec -it emulator payment-order-emulator listen',
  })
})

test.each(['npm start -- check case.yaml', 'npm start -- conform', 'npm start -- --settings our.yaml'])(
  '%s works in no container that knows nothing of the reader’s files and ports',
  (line) => {
    expect(Object.keys(tabsOf(withStartTabs(`\`\`\`sh\n${line}\n\`\`\``)))).toEqual(['npx', 'Clone'])
  },
)

test('other blocks stay as they are', () => {
  for (const block of ['```sh\nnpm start-all\n```', '```sh\ncurl -s x\n```', '```text\nnpm start\n```'])
    expect(withStartTabs(block)).toBe(block)
})

test('the three ways to start of the README become tabs', () => {
  const way = (name: string, code: string) =>
    `**${name}.** In words:\n\n<!-- not run: x -->\n\`\`\`sh\n${code}\n\`\`\`\n`
  const readme = [way('Clone', 'npm start'), way('Container', 'docker run'), way('npx', 'npx x')].join('\n')
  expect(tabsOf(startTabs(readme))).toEqual({ npx: 'npx x', Docker: 'docker run', Clone: 'npm start' })
  expect(startTabs(readme)).toContain('- **Docker:** In words.')
  expect(() => startTabs('**Clone.** Only.')).toThrow('README.md does not name three ways to start')
})

test('a link to a page or a place that is not there is found, and so is what comes from elsewhere', () => {
  const folder = aFolder()
  mkdirSync(join(folder, 'start'))
  const good =
    '<h1 id="here"></h1><a href="#here"></a><a href="/start/"></a><a href="https://example.com/"></a>'
  writeFileSync(join(folder, 'index.html'), `${good}<a href="/start/#gone"></a><a href="./lost.html"></a>`)
  writeFileSync(join(folder, 'start', 'index.html'), '<script src="https://example.com/a.js"></script>')
  expect(problemsOf(folder).toSorted()).toEqual([
    'index.html leads to ./lost.html, which is not there',
    'index.html leads to /start/#gone: the page has no such place',
    'start/index.html loads from elsewhere: <script src="https://example.com/a.js"',
  ])
})
