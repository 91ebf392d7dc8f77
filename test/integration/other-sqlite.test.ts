import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { aFolder } from '../support/folder.ts'

const program = `
  import { createRequire } from 'node:module'
  const Database = createRequire(process.argv[1])('better-sqlite3')
  const { startEmulator } = await import(${JSON.stringify(resolve('dist/index.js'))})
  const emulator = await startEmulator()
  console.log(new Database().name, typeof (await emulator.createClient()).clientId)
  await emulator[Symbol.asyncDispose]()`

test('an application that has loaded a better-sqlite3 of its own keeps it, and we have ours', async () => {
  const folder = join(aFolder(), 'node_modules', 'better-sqlite3')
  mkdirSync(join(folder, 'lib'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"main":"lib/index.js"}')
  writeFileSync(join(folder, 'lib', 'index.js'), "module.exports = class { name = 'theirs' }")
  const args = ['--input-type=module', '--eval', program, join(folder, 'application.js')]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 20_000 })
  expect(stdout).toBe('theirs string\n')
})
