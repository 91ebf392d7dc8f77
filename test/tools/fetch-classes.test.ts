import { get } from 'node:http'
import { resolve } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'

const library: typeof import('../../src/index.ts') = await import(resolve('dist/index.js'))

afterEach(() => {
  vi.unstubAllGlobals()
})

test('What a test puts in the place of Response while an emulator first answers is not used', async () => {
  await using emulator = await library.startEmulator()
  const made: unknown[] = []
  class OfATest extends Response {
    constructor(...args: ConstructorParameters<typeof Response>) {
      super(...args)
      made.push(this)
    }
  }
  vi.stubGlobal('Response', OfATest)
  expect(await statusOf(`${emulator.url}/_emulator/clients`)).toBe(200)
  expect(made).toEqual([])
})

/** Without the classes of fetch, in a connection of its own. */
const statusOf = (url: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(url, (answer) => answer.resume().on('end', () => resolve(answer.statusCode))).on('error', reject)
  })
