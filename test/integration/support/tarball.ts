import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import { runWell } from './run.ts'

const root = dirname(dirname(dirname(import.meta.dirname)))

/** What lies in `dist` of the checkout, of earlier builds and from elsewhere. */
export const leftOver = ['late-ABCDEFGH.js', 'cli.js.map', 'notes.txt']

/** The package as `npm pack` makes it in a checkout; answers the path of the tarball. Made once for all test files. */
export async function packed(): Promise<string> {
  const folder = join(inject('sharedFolder'), 'packed')
  const { version } = await import('../../../src/package.ts')
  const tarball = join(folder, `payment-order-emulator-${version}.tgz`)
  if (!existsSync(tarball)) {
    // In a copy: packing replaces the program that other tests run.
    const checkout = join(inject('sharedFolder'), 'checkout')
    copyCheckout(checkout)
    for (const name of leftOver) cpSync(join(root, 'LICENSE'), join(checkout, 'dist', name))
    mkdirSync(folder)
    await runWell('npm', ['pack', '--pack-destination', folder], { cwd: checkout })
  }
  return tarball
}

function copyCheckout(checkout: string): void {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const names = execFileSync('git', list, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\0')
  for (const name of names.filter((each) => each !== '' && existsSync(join(root, each)))) {
    cpSync(join(root, name), join(checkout, name))
  }
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'))
}
