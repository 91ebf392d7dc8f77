import { execFile, execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { startProgram } from '../../hard/support/program.ts'
import { aFolder } from '../../support/folder.ts'
import { fetched } from './fetched.ts'

const execute = promisify(execFile)
const recipes = join(import.meta.dirname, '..', '..', '..', 'examples', 'ci', 'testcontainers')
const standIns = join(import.meta.dirname, 'stand-ins')

/** A copy of a recipe, to install and compile in. */
function aCopyOf(recipe: string): string {
  const folder = join(aFolder(), recipe)
  cpSync(join(recipes, recipe), folder, { recursive: true })
  return folder
}

describe('with the real packages, what a recipe calls is there (none can start a container here)', () => {
  test('Node: it compiles', (context) => {
    const folder = aCopyOf('node')
    fetched(context, ['npm', 'install', '--ignore-scripts', '--no-package-lock'], folder)
    expect(fetched(context, [join('node_modules', '.bin', 'tsc'), '-p', '.'], folder)).toBe('')
  })

  test('Java: it compiles', (context) => {
    fetched(context, ['mvn', '-q', '-B', 'test-compile'], aCopyOf('java'))
  })

  test('Python: it imports, and the container has each method', (context) => {
    const folder = aCopyOf('python')
    const packages = join(folder, 'packages')
    const install = [
      '-m',
      'pip',
      'install',
      '-q',
      '--retries',
      '2',
      '--target',
      packages,
      '-r',
      'requirements.txt',
    ]
    fetched(context, ['python3', ...install], folder)
    const source = readFileSync(join(folder, 'test_emulator.py'), 'utf8')
    const called = source.match(/(?<=\.)(with_\w+|waiting_for|get_\w+)(?=\()/g) ?? []
    const check = `import test_emulator as t; [getattr(t.DockerContainer, name) for name in ${JSON.stringify(called)}]`
    execFileSync('python3', ['-c', check], { cwd: folder, env: { ...process.env, PYTHONPATH: packages } })
    expect(called).toContain('waiting_for')
  })
})

describe('with a stand-in for the container, a recipe gets what it expects from the emulator', () => {
  test('Node', async () => {
    const folder = aCopyOf('node')
    cpSync(join(standIns, 'node'), join(folder, 'node_modules'), { recursive: true })
    // Twice, because each test has a world of its own.
    const file = join(folder, 'emulator.test.ts')
    const recipe = readFileSync(file, 'utf8')
    writeFileSync(file, recipe.replace(/^test\([\s\S]*?^\}\)$/m, '$&\n$&'))
    const env = await besideAnEmulator()
    const { stdout } = await execute(process.execPath, ['--test'], { cwd: folder, env })
    expect(stdout).toMatch(/pass 2\b/)
  })

  test('Python', async () => {
    const python = { PYTHONPATH: join(standIns, 'python'), PYTHONDONTWRITEBYTECODE: '1' }
    const env = { ...(await besideAnEmulator()), ...python }
    const { stderr } = await execute('python3', ['-m', 'unittest', '-v'], { cwd: aCopyOf('python'), env })
    expect(stderr).toMatch(/Ran 1 test[\s\S]*OK/)
  })

  test('Java', async () => {
    const folder = aCopyOf('java')
    const sources = [join(folder, 'src'), join(standIns, 'java')].flatMap((root) =>
      globSync(join(root, '**', '*.java')),
    )
    mkdirSync(join(folder, 'classes'))
    execFileSync('javac', ['-d', join(folder, 'classes'), ...sources])
    const env = await besideAnEmulator()
    const { stdout } = await execute('java', ['-cp', 'classes', 'RunTests'], { cwd: folder, env })
    expect(stdout).toBe('OK\n')
  })
})

/** To an emulator here, this machine has the names that it has inside a container. */
const namesInside = `
  import dns from 'node:dns'
  import { syncBuiltinESMExports } from 'node:module'
  const { lookup } = dns
  dns.lookup = (name, ...rest) => lookup(name.replace(/^host\\.(docker|testcontainers)\\.internal$/, '127.0.0.1'), ...rest)
  syncBuiltinESMExports()`

/** The environment of a program that finds an emulator at EMULATOR_URL. */
async function besideAnEmulator(): Promise<NodeJS.ProcessEnv> {
  const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(namesInside)}`]
  const { url } = await startProgram([], { nodeArgs })
  return { PATH: process.env.PATH, HOME: process.env.HOME, EMULATOR_URL: url }
}
