import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { aProject } from '../support/project.ts'
import { run, runWell } from '../support/run.ts'
import { packed } from '../support/tarball.ts'

test('npm install adds one package, and npm ci needs no Python, no make and no compiler', async () => {
  const project = aProject()
  expect(await project.install(await packed())).toContain('added 1 package')
  rmSync(join(project.path, 'node_modules'), { recursive: true })

  const cwd = project.path
  const env = { PATH: bareTools(join(project.path, 'bin')), npm_config_ignore_scripts: 'false' }
  for (const tool of ['python3', 'python', 'make', 'cc', 'gcc', 'g++'])
    await expect(run(tool, ['--version'], { env })).rejects.toThrow('ENOENT')
  expect(await runWell('npm', ['ci', '--no-audit', '--no-fund'], { cwd, env })).toContain('added 1 package')
  const names = readdirSync(join(cwd, 'node_modules')).filter((name) => !name.startsWith('.'))
  expect(names).toEqual(['payment-order-emulator'])
  const program = join(cwd, 'node_modules', '.bin', 'payment-order-emulator')
  expect(await runWell(program, ['explain', 'happy'], { env })).toContain('COMPLETED')
})

test('pages of an installed program name commands that run it, and not the npm start of the project', async () => {
  const project = aProject()
  await project.install(await packed())
  project.write({
    'package.json': JSON.stringify({
      name: 'shop',
      scripts: { start: 'payment-order-emulator exec -- node page.mjs' },
      dependencies: { 'payment-order-emulator': '*' },
    }),
    'page.mjs': `const { PAYMENT_ORDER_BASE_URL: base } = process.env
      const page = await fetch(new URL('/_emulator/ui/deliveries', base), { headers: { accept: 'text/html' } })
      console.log(await page.text())`,
    'library.mjs': `import { startEmulator } from 'payment-order-emulator'
      const emulator = await startEmulator()
      process.env.PAYMENT_ORDER_BASE_URL = emulator.url
      await import('./page.mjs')
      await emulator.close()`,
  })
  const cwd = project.path
  const pages = await Promise.all([
    runWell('npm', ['start', '--silent'], { cwd }),
    runWell('node', ['library.mjs'], { cwd }),
  ])
  for (const page of pages) {
    expect(page).toContain('<code>npx payment-order-emulator listen --url http://127.0.0.1:')
    expect(page).toContain('$(npx payment-order-emulator status --env --client')
    expect(page).not.toContain('npm start')
  }
})

/** A folder with what npm itself needs, as a PATH. */
function bareTools(folder: string): string {
  mkdirSync(folder)
  symlinkSync(process.execPath, join(folder, 'node'))
  for (const name of ['npm', 'sh']) {
    const places = (process.env.PATH ?? '').split(delimiter).map((place) => join(place, name))
    const found = places.find((path) => existsSync(path))
    if (found === undefined) throw new Error(`there is no ${name} on the PATH`)
    symlinkSync(found, join(folder, name))
  }
  return folder
}
