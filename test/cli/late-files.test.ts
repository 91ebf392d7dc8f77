import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aFolder } from '../support/folder.ts'
import { spawnProgram } from './spawned.ts'

/** Tells what has been loaded when the program first takes requests. */
const before = `
  const fs = process.getBuiltinModule('node:fs');
  const { readFileSync } = fs;
  const files = [];
  fs.readFileSync = (path, ...more) => {
    if (/bundle-\\w+\\.cjs$/.test(path)) files.push(path);
    return readFileSync(path, ...more);
  };
  const { Server } = process.getBuiltinModule('node:http');
  const { emit } = Server.prototype;
  Server.prototype.emit = function (name, ...args) {
    if (name === 'listening') {
      const crypto = process.moduleLoadList.includes('NativeModule crypto');
      console.error('files: ' + files.length + ', crypto: ' + crypto + '.');
    }
    return emit.call(this, name, ...args);
  }`

test.each([
  ['with nothing to decide', () => []],
  [
    'on a file, with flags that are texts',
    () => ['--database', join(aFolder(), 'emulator.db'), '--host', '127.0.0.1', '--seed', 's', '--durable'],
  ],
])(
  'a start %s takes requests before it has read the second file of the program, and hashing',
  async (_, flags) => {
    const program = spawnProgram(['--port', '0', ...flags()], { before })
    const [, files, crypto] = await program.wrote(/files: (\d+), crypto: (\w+)\./)
    expect({ files, crypto }).toEqual({ files: '1', crypto: 'false' })
    await program.wrote(/"event":"ready"/)
  },
)

test('a flag that takes more than a look is read with what stands in the second file', async () => {
  const program = spawnProgram(['--port', '0', '--clock', '60x'], { before })
  const [, files] = await program.wrote(/files: (\d+)/)
  expect(files).toBe('2')
  await program.wrote(/"speed":60/)
})
