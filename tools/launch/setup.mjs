import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assertWanted, Refusal, run } from './child.mjs'
import { dependenciesInstalled, treeMatchesLock } from './dependencies.mjs'
import { exclusively } from './lock.mjs'
import { nodePackage } from './node-version.mjs'
import { nodeBinary, privateNodePath } from './private-node.mjs'
import { withProgress } from './progress.mjs'

export { exclusively }

/** Fetches the pinned Node into `.node/` unless another launcher just did; resolves to its path. */
export async function fetchNode(root, minimum) {
  const pinned = nodePackage(process.platform, process.arch, usesMusl())
  const tooOld = `This needs Node ${minimum.replace('>=', '')} or later, and this is ${process.versions.node}`
  if (!pinned) throw new Refusal(`${tooOld}: please install a newer one (none to fetch for this platform).`)
  return exclusively(root, async (alsoHeldBy) => {
    const fetchedMeanwhile = privateNodePath(root)
    if (fetchedMeanwhile) return fetchedMeanwhile
    process.stderr.write(`${tooOld}, so a private one goes into .node/.\n`)
    await withProgress(`Downloading Node ${pinned.version}, once (usually less than 30 s)`, () =>
      fetchPackage(join(root, '.node'), pinned, alsoHeldBy),
    )
    return privateNodePath(root)
  })
}

/** Unpacked beside its place and then renamed, so that what stands in its place is whole. */
async function fetchPackage(store, { name, version, integrity }, alsoHeldBy) {
  const partial = join(store, 'partial')
  const clear = () => rmSync(partial, { recursive: true, force: true })
  clear()
  mkdirSync(partial, { recursive: true })
  const write = (file, value) => writeFileSync(join(partial, file), JSON.stringify(value))
  try {
    const wanted = { dependencies: { [name]: version } }
    write('package.json', wanted)
    // npm verifies what it downloads against the hash in a lock file.
    const packages = { '': wanted, [`node_modules/${name}`]: { version, integrity } }
    write('package-lock.json', { lockfileVersion: 3, requires: true, packages })
    const settings = { node: process.execPath, env: process.env, cwd: partial, alsoHeldBy }
    const { code, output } = await npm(['ci', '--prefix', '.', '--ignore-scripts', '--no-dry-run'], settings)
    if (code !== 0 && output.includes('EINTEGRITY')) {
      throw new Refusal(
        `${output}Node was not installed: the ${name}@${version} that the registry sent is not the one pinned in tools/launch/node-version.mjs (its sha512 hash differs). Check the registry that npm is configured with, or install a recent Node yourself.`,
      )
    }
    const fetched = join(partial, 'node_modules', name)
    if (code !== 0 || (await run(nodeBinary(fetched), ['-e', '0'], {})) !== 0) {
      throw new Refusal(
        `${output}Node could not be fetched: go online and start again, or install a recent one yourself.`,
      )
    }
    mkdirSync(join(store, 'node_modules'), { recursive: true })
    rmSync(join(store, 'node_modules', name), { recursive: true, force: true })
    renameSync(fetched, join(store, 'node_modules', name))
  } finally {
    clear()
  }
}

/**
 * `npm ci`, unless another launcher just did it.
 * @param {string} announcement what the user is told while it runs
 */
export function installDependencies(root, node, env, announcement) {
  return exclusively(root, async (alsoHeldBy) => {
    if (dependenciesInstalled(root)) return
    // These two say that an installation is whole. npm ci removes them too, but perhaps not first.
    for (const name of ['.launch-lock', '.package-lock.json'])
      rmSync(join(root, 'node_modules', name), { force: true })
    // The development ones build the program, so NODE_ENV=production must not keep them out. All of them work
    // without their install scripts.
    const args = ['ci', '--include=dev', '--ignore-scripts', '--no-dry-run']
    await withProgress(announcement, async () => {
      const { code, output } = await npm(args, { node, env, cwd: root, alsoHeldBy })
      if (code === 0 && treeMatchesLock(root) && dependenciesInstalled(root)) return
      throw new Refusal(`${output}The dependencies could not be installed: see above, then start again.`)
    })
  })
}

/** Runs npm with the given Node and shows nothing of it; resolves to its exit code and output. */
async function npm(args, { node, env, cwd, alsoHeldBy }) {
  const cli = process.env.npm_execpath
  const found = cli?.endsWith('npm-cli.js')
  const quiet = ['--no-audit', '--no-fund', '--no-progress', '--loglevel=warn']
  const shell = !found && process.platform === 'win32'
  let output = ''
  const code = await run(found ? node : 'npm', [...(found ? [cli] : []), ...args, ...quiet], {
    env,
    cwd,
    shell,
    onPid: alsoHeldBy,
    onOutput: (text) => {
      output += text
    },
  })
  assertWanted()
  return { code, output }
}

function usesMusl() {
  return process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime
}
