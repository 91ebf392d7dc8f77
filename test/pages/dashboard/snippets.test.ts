import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startFixture } from '../../support/emulator.ts'
import { aFolder } from '../../support/folder.ts'
import { openPage } from '../../support/page.ts'

const run = promisify(execFile)

/** A folder with these files. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = aFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

const isMissing = (program: string, flag: string) => spawnSync(program, [flag]).status !== 0

/** The text of a `<pre>`, as a user copies it. */
function codeIn(html: string, id: string): string {
  const [, text = ''] =
    new RegExp(`id="${id}"[^>]*><code>([^<]*)</code>`).exec(html.replaceAll(/>\s+<code>/g, '><code>')) ?? []
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

const languages = [
  ['shell', 'create.sh', 'bash', 'set -a; . ./.env; set +a; bash create.sh'],
  ['node', 'create.mjs', 'node', 'node --env-file=.env create.mjs'],
  ['python', 'create.py', 'python3', 'set -a; . ./.env; set +a; python3 create.py'],
  ['java', 'Create.java', 'java', 'set -a; . ./.env; set +a; java Create.java'],
] as const

test.each(languages)(
  'the call in %s, saved beside its .env file, creates an order',
  async (name, file, program, command) => {
    if (isMissing(program, '--version')) return
    const { emulator, c1 } = await startFixture({ settings: { 'signature.checkout': 'short' } })
    const { html } = await openPage(emulator, '/_emulator/ui/clients/C1')
    expect(codeIn(html, `snippet-${name}-code`)).toContain('PAYMENT_ORDER_API_SECRET')
    expect(html.replaceAll(/\s+/g, ' ')).toContain(`Run it with <code>${command}</code>`)
    const folder = folderWith({ '.env': codeIn(html, 'env'), [file]: codeIn(html, `snippet-${name}-code`) })
    const { stdout } = await run('bash', ['-c', command], { cwd: folder })
    expect(stdout).toContain('CREATED')
    expect((await emulator.control(`/orders?clientId=${c1.clientId}`)).items).toHaveLength(1)
  },
)

test('a client that signs with currencyId is shown that string', async () => {
  const { emulator, c1 } = await startFixture({ settings: { 'signature.checkout': 'with-currency' } })
  const { html } = await openPage(emulator, `/_emulator/ui/clients/${c1.clientId}`)
  const folder = folderWith({ '.env': codeIn(html, 'env'), 'create.mjs': codeIn(html, 'snippet-node-code') })
  const { stdout } = await run(process.execPath, ['--env-file=.env', 'create.mjs'], { cwd: folder })
  expect(stdout).toContain('CREATED')
})

test('the command for a token that expires gives one out', async () => {
  const { emulator } = await startFixture()
  const { html } = await openPage(emulator, '/_emulator/ui/clients/C1')
  const { stdout } = await run('sh', ['-c', codeIn(html, 'issue-token')])
  expect(JSON.parse(stdout)).toMatchObject({ expiresIn: expect.any(Number) })
})
