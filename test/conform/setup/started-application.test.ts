import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { StartedApplication } from '../../../src/cli/conform/started-application.ts'
import { freePort } from '../../../tools/free-port.ts'
import { aFolder } from '../../support/folder.ts'

/** Starts a Node program as a shell would start it, so that the server is a child of the command. */
async function startedWith(program: string, signal = new AbortController().signal) {
  const port = await freePort()
  const folder = aFolder()
  const file = join(folder, 'shop.mjs')
  writeFileSync(file, program)
  const webhookUrl = `http://127.0.0.1:${port}/`
  const command = ['/bin/sh', '-c', '"$0" "$1"; true', process.execPath, file]
  const env = { ...process.env, PORT: String(port), COLOUR: 'blue' }
  const application = new StartedApplication({ command, env, cwd: folder, webhookUrl, signal })
  onTestFinished(() => application.end())
  const ask = async () => JSON.parse(await (await fetch(webhookUrl)).text())
  return { application, ask, file, webhookUrl }
}

const shop = `
import { createServer } from 'node:http'
console.log('began in', process.cwd())
console.error('colour', process.env.COLOUR)
createServer((_, answer) => answer.end(JSON.stringify({ pid: process.pid, colour: process.env.COLOUR })))
  .listen(process.env.PORT, '127.0.0.1')
`

test('a restart kills the server, and runs the same command with the same environment', async () => {
  const { application, ask } = await startedWith(shop)
  await application.accepting()
  const before = await ask()
  await application.restart()
  const after = await ask()
  expect(after).toEqual({ pid: expect.any(Number), colour: 'blue' })
  expect(after.pid).not.toBe(before.pid)
  expect(application.obituary).toBeNull()
})

test('the output has both standard streams, from before and after a restart', async () => {
  const { application, file } = await startedWith(shop)
  await application.accepting()
  await application.restart()
  const lines = application.output().split('\n')
  expect(lines.filter((line) => line.startsWith('began in '))).toEqual(
    Array(2).fill(`began in ${join(file, '..')}`),
  )
  expect(lines.filter((line) => line === 'colour blue')).toHaveLength(2)
})

test('of a long output the last million characters stay', async () => {
  const talkative = `process.stdout.write('x'.repeat(3_000_000) + 'the end', () => {${shop.replace("import { createServer } from 'node:http'", '')}})`
  const { application } = await startedWith(`import { createServer } from 'node:http'\n${talkative}`)
  await application.accepting()
  await expect.poll(() => application.output()).toContain('colour blue')
  expect(application.output()).toHaveLength(1_000_000)
  expect(application.output()).toContain('xthe end')
})

test('one that does not start again is told with what it wrote, and counts as ended', async () => {
  const { application, file } = await startedWith(shop)
  await application.accepting()
  writeFileSync(file, 'console.error("the lock is held"); process.exit(7)')
  await expect(application.restart()).rejects.toThrow(
    /^killed, and started again: ".*" ended with 0 before anything listened at .*\. It wrote:\nthe lock is held$/,
  )
  expect(application.obituary).toContain('the lock is held')
})

test('a run that is aborted while it restarts its application starts no other', async () => {
  const abortion = new AbortController()
  const { application, webhookUrl } = await startedWith(shop, abortion.signal)
  await application.accepting()
  const restarted = application.restart()
  abortion.abort(new Error('stopped'))
  await expect(restarted).rejects.toThrow('stopped')
  expect(application.obituary).toBeNull()
  await application.end()
  await expect(fetch(webhookUrl)).rejects.toThrow('fetch failed')
})
