import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../../src/cli/program.ts'
import { FakeTerminal } from '../../cli/fake-terminal.ts'
import { aFolder } from '../../support/folder.ts'

async function aFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Runs `conform` beside a program of Node. @returns what it told, and whether the program's port is free again */
async function beside(program: string, argv: readonly string[] = []) {
  const port = await aFreePort()
  const file = join(aFolder(), 'shop.mjs')
  writeFileSync(file, program)
  const terminal = new FakeTerminal({ ...process.env, PORT: String(port) })
  const url = `http://127.0.0.1:${port}/webhooks`
  const exitCode = await run(
    ['conform', '--webhook-url', url, ...argv, '--', process.execPath, file],
    terminal,
  )
  const left = await fetch(url).then(
    () => true,
    () => false,
  )
  return { exitCode, out: terminal.output.join('\n'), err: terminal.errors.join('\n'), left }
}

const shop = `
import { createServer } from 'node:http'
for (const name of ['BASE_URL', 'CLIENT_ID', 'API_SECRET', 'ACCESS_TOKEN'])
  if (!process.env['PAYMENT_ORDER_' + name]) throw new Error(name)
createServer((request, response) => request.resume().on('end', () => response.writeHead(204).end())).listen(process.env.PORT)
`

test('an application runs beside an emulator of its own, for the length of the check', async () => {
  const { exitCode, out, left } = await beside(shop, ['--only', 'K03', '--json'])
  expect(JSON.parse(out)).toMatchObject({ problems: [], cases: [{ id: 'K03', verdict: 'PASS' }] })
  expect({ exitCode, left }).toEqual({ exitCode: 0, left: false })
})

test('one that does not run is told with what it wrote', async () => {
  const { exitCode, err } = await beside('console.error("no mugs"); process.exit(7)')
  expect({ exitCode, err }).toEqual({
    exitCode: 2,
    err: expect.stringMatching(/ended with 7 before anything listened at .*\/webhooks\. It wrote:\nno mugs$/),
  })
})

test.each([
  [['--url', 'http://127.0.0.1:4600', '--', 'true'], '--url is not needed'],
  [['--'], 'a command is to follow --'],
])('%s is wrong usage', async (argv, message) => {
  const terminal = new FakeTerminal()
  expect(await run(['conform', '--webhook-url', 'http://127.0.0.1:9', ...argv], terminal)).toBe(2)
  expect(terminal.errors.join()).toContain(message)
})
