import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { takeScreenshots } from '../../tools/screenshots.ts'
import { aFolder } from '../support/folder.ts'

test('the pictures that the README shows can be made again', async () => {
  const folder = aFolder()
  const files = await takeScreenshots(folder)
  const shown = [...readFileSync('README.md', 'utf8').matchAll(/docs\/images\/([\w-]+\.png)/g)].map(
    ([, name = '']) => name,
  )
  expect(new Set(shown)).toEqual(new Set(files))
  // An empty page of this size has some 10 KB.
  for (const file of files) expect(statSync(join(folder, file)).size, file).toBeGreaterThan(25_000)
})
