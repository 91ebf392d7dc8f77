// Starts this project's tasks on a fresh clone and whatever Node is at hand (18 or later):
// fetches a recent Node and the dependencies if they are missing, builds if the sources changed.
// No dependencies, and no syntax newer than Node 18.

import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { distIsCurrent } from './launch/build-stamp.mjs'
import { Refusal, run, Stopped } from './launch/child.mjs'
import { dependenciesInstalled } from './launch/dependencies.mjs'
import { isRecentEnough } from './launch/node-version.mjs'
import { environmentFor, privateNodePath } from './launch/private-node.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const minimum = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node

/** Each takes the arguments after its name and resolves to an exit code. */
const tasks = {
  start: async (args) => (await built()) || program(args),
  build: (args) => inProject([join('tools', 'build.mjs'), ...args]),
  dev: (args) => tool('tsx', ['watch', join('src', 'cli', 'main.ts'), ...args]),
  lint: async () =>
    (await tool('@biomejs/biome', ['check'])) ||
    (await tool('typescript')) ||
    (await tool('typescript', ['-p', join('tools', 'build', 'tsconfig.browser.json')])) ||
    (await tool('typescript', [
      '-p',
      join('tools', 'build', 'tsconfig.declarations.json'),
      '--outDir',
      join('node_modules', '.declarations'),
    ])) ||
    tool('knip'),
  test: (args) => tests('unit', args),
  'test:wire': (args) => tests('wire', args),
  'test:wire:whole': (args) => {
    env = { ...env, WIRE_SIZE: 'whole' }
    return tests('wire', args)
  },
  'test:browser': (args) => tests('browser', args),
  'test:hard': (args) => tests('hard *', args),
  'test:hard:whole': (args) => {
    env = { ...env, HARD_SIZE: 'whole' }
    return tests('hard *', args)
  },
  'test:integration': (args) => tests('integration', args),
  'test:conform': (args) => tests('conform *', args),
  matrix: (args) => tool('tsx', [join('tools', 'matrix.ts'), ...args]),
  'matrix:stories': (args) => tool('tsx', [join('tools', 'matrix-stories.ts'), ...args]),
  mutants: async (args) => (await built()) || tool('tsx', [join('tools', 'mutants.ts'), ...args]),
  bench: async (args) => (await built()) || inProject([join('bench', 'main.ts'), ...args]),
  'bench:peers': async (args) => {
    await installed(join('bench', 'peers'), 'Installing the tools to compare with')
    return (await built()) || inProject([join('bench', 'peers', 'main.ts'), ...args])
  },
  docs: async () => {
    await installed(join('docs', 'site'), 'Installing the generator of the site')
    return tool('tsx', [join('tools', 'site.ts')])
  },
  pictures: async () => {
    await installed(join('docs', 'site'), 'Installing what draws the diagrams')
    return tool('tsx', [join('tools', 'pictures.ts')])
  },
  'release:rehearse': async () => {
    await installed(join('tools', 'release'), 'Installing a registry and package managers')
    return tool('tsx', [join('tools', 'release', 'rehearse.ts')])
  },
  // Until the first release, a change of the schema replaces the one migration.
  migration: () => {
    const out = join('src', 'store', 'sqlite', 'migrations')
    rmSync(join(root, out), { recursive: true, force: true })
    const schema = join('src', 'store', 'sqlite', 'schema.ts')
    return tool('drizzle-kit', [
      'generate',
      '--dialect',
      'sqlite',
      '--schema',
      schema,
      '--out',
      out,
      '--name',
      'first',
    ])
  },
  check: async (args) => (await tasks.lint()) || tasks.test(args),
  node: (args) => run(node, args, { env }),
}

let node = process.execPath
let env = process.env

async function main([task = '', ...args]) {
  if (!Object.hasOwn(tasks, task)) {
    throw new Refusal(`Usage: node tools/launch.mjs <${Object.keys(tasks).join(' | ')}> [arguments]`)
  }
  if (!isRecentEnough(process.versions.node, minimum)) {
    node = privateNodePath(root) ?? (await (await setup()).fetchNode(root, minimum))
  }
  env = environmentFor(node)
  if (!dependenciesInstalled(root)) {
    const step = 'Installing the dependencies, once (usually less than a minute)'
    await (await setup()).installDependencies(root, node, env, step)
  }
  return tasks[task](args)
}

// Loaded late: a start with nothing to fetch should not pay for it.
const setup = () => import('./launch/setup.mjs')

const inProject = (args) => run(node, args, { env, cwd: root })

/** The channel tells the program when this launcher dies, even by SIGKILL (`disconnect` on `process`). */
const program = (args) => run(node, [join(root, 'dist', 'cli.js'), ...args], { env, channel: true })

/** @param project of `vitest.config.ts`; with an asterisk, all that begin so */
const tests = async (project, args) =>
  (await built()) || tool('vitest', ['run', '--project', project, ...args])

async function built() {
  return distIsCurrent(root)
    ? 0
    : (await setup()).exclusively(root, () => {
        if (distIsCurrent(root)) return 0
        process.stderr.write('Building the program from its sources (a few seconds)\n')
        return tasks.build([])
      })
}

/** Tools that are no dependencies of the program have a folder of their own. */
async function installed(place, what) {
  const folder = join(root, place)
  if (dependenciesInstalled(folder)) return
  const step = `${what}, once (up to 200 MB)`
  await (await setup()).installDependencies(folder, node, env, step)
}

/** Runs the one command of an installed package. */
function tool(name, args = []) {
  const home = join(root, 'node_modules', name)
  if (!existsSync(home)) throw new Refusal(`${name} is not installed: run npm ci`)
  const { bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  return inProject([join(home, typeof bin === 'string' ? bin : Object.values(bin)[0]), ...args])
}

try {
  process.exit(await main(process.argv.slice(2)))
} catch (error) {
  if (error instanceof Stopped) process.exit(error.exitCode)
  // An errno means a file or a command: the message names it, a stack would not help.
  if (!(error instanceof Refusal) && error.code === undefined) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(2)
}
