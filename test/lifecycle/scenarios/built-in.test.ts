import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { textOf } from '../../../src/lifecycle/scenarios/built-in.ts'
import { aFolder } from '../../support/folder.ts'

const made: Readonly<Record<string, (file: string) => void>> = {
  'a pipe': (file) => execFileSync('mkfifo', [file]),
  'a device': (file) => symlinkSync('/dev/zero', file),
  'a folder': (file) => mkdirSync(file),
  'more than 16 MiB': (file) => writeFileSync(file, 'x'.repeat(16 * 1024 * 1024 + 1)),
}

test.each(Object.keys(made))('%s is not read but told, at once', (kind) => {
  const file = join(aFolder(), 'x.yaml')
  made[kind]?.(file)
  expect(textOf(file)).toMatchObject({
    file,
    message: expect.stringMatching(/not a readable file|larger than 16 MiB/),
  })
})
