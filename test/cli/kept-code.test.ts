import { readdirSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { aFolder } from '../support/folder.ts'
import { spawnProgram } from './spawned.ts'

test('what one start has compiled serves the next, though the heap is kept small in between', async () => {
  const folder = aFolder()
  const before = `
    import vm from 'node:vm';
    process.env.NODE_COMPILE_CACHE = '${folder}';
    vm.Script = class extends vm.Script {
      constructor(...args) {
        super(...args);
        console.error('refused: ' + this.cachedDataRejected)
      }
    }`
  const first = spawnProgram(['--port', '0'], { before })
  await first.wrote(/refused: undefined/)
  const isKept = () => readdirSync(folder).some((name) => /-cli-.*-[0-9a-f]+$/.test(name))
  await vi.waitUntil(isKept, 8_000)
  const second = spawnProgram(['--port', '0'], { before })
  expect((await second.wrote(/refused: (\w+)/))[1]).toBe('false')
})
