import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import { madeOnce } from './made-once.ts'
import { runWell } from './run.ts'

const root = dirname(dirname(dirname(import.meta.dirname)))

/** Files in the checkout that is packed: earlier builds, used examples, and foreign files. */
export const leftOver = [
  ...['dist/late-ABCDEFGH.js', 'dist/late-ABCDEFGH.js.map', 'dist/cli.js.map', 'dist/notes.txt'],
  ...['examples/payment-order-emulator.tgz', 'examples/vitest/node_modules/hono/index.js'],
  ...['examples/playwright/test-results/video.webm', 'examples/ci/testcontainers/java/target/a.class'],
  ...[
    'examples/python/__pycache__/shop.cpython-311.pyc',
    'docs/site/.pages/index.md',
    'docs/site/.dist/index.md',
  ],
  'docs/site/node_modules/vitepress/README.md',
]

/** The package as `npm pack` makes it in a checkout; answers the path of the tarball. Made once for all test files. */
export async function packed(): Promise<string> {
  const folder = await madeOnce('packed', async (destination) => {
    // In a copy: packing replaces the program that other tests run.
    const checkout = join(inject('sharedFolder'), 'checkout')
    copyCheckout(checkout)
    for (const name of leftOver) cpSync(join(root, 'LICENSE'), join(checkout, name))
    await runWell('npm', ['pack', '--pack-destination', destination], { cwd: checkout })
  })
  const { version } = await import('../../../src/app/package.ts')
  return join(folder, `payment-order-emulator-${version}.tgz`)
}

/** The files of this checkout that are its own, by name. */
export function ownFiles(): readonly string[] {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const names = execFileSync('git', list, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\0')
  return names.filter((name) => name !== '' && existsSync(join(root, name)))
}

function copyCheckout(checkout: string): void {
  for (const name of ownFiles()) cpSync(join(root, name), join(checkout, name))
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'))
}
