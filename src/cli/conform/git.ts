import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { plainLine } from '../../conform/report/lines.ts'
import { didYouMean } from '../../domain/text/issue-words.ts'
import { CliError } from '../cli-error.ts'
import type { Environment } from '../terminal.ts'

/** A commit of a git repository, and the tree around the current folder. */
export interface Comparable {
  /** As the user has named it. */
  readonly ref: string
  readonly commit: string
  /** The first characters of the commit, as git shortens it. */
  readonly short: string
  /** The folder of the repository's working tree. */
  readonly top: string
  /** The current folder within it; empty at the top. */
  readonly prefix: string
  /** Files that differ from the last commit, new ones included. */
  readonly uncommitted: readonly string[]
}

interface GitPlace {
  readonly cwd: string
  readonly env: Environment
}

/** Reads the repository around the current folder.
 *  @throws CliError if there is none, if it has no such commit, or if the present tree is that commit */
export async function readComparable(ref: string, place: GitPlace): Promise<Comparable> {
  const top = await git(['rev-parse', '--show-toplevel'], place)
  if (top.code !== 0)
    throw new CliError(
      2,
      `error: --prove: ${JSON.stringify(place.cwd)} is in no git repository, so there is no ${JSON.stringify(ref)} to compare with${saidBy(top)}`,
    )
  const found = ref.startsWith('-')
    ? null
    : await git(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], place)
  if (found?.code !== 0) throw await unknownRef(ref, place)
  const commit = line(found.out)
  const [short, prefix, head, status] = await Promise.all([
    git(['rev-parse', '--short', commit], place),
    git(['rev-parse', '--show-prefix'], place),
    git(['rev-parse', 'HEAD'], place),
    git(['--no-optional-locks', 'status', '--porcelain=v1', '-z', '--untracked-files=all'], place),
  ])
  const uncommitted = filesIn(status.out)
  if (line(head.out) === commit && uncommitted.length === 0)
    throw new CliError(
      2,
      `error: --prove: the present tree is ${JSON.stringify(ref)} without any change; name an earlier commit, like HEAD~1`,
    )
  return { ref, commit, short: line(short.out), top: line(top.out), prefix: line(prefix.out), uncommitted }
}

async function unknownRef(ref: string, place: GitPlace): Promise<CliError> {
  const listed = await git(
    ['for-each-ref', '--format=%(refname:short)', 'refs/heads', 'refs/tags', 'refs/remotes'],
    place,
  )
  const names = listed.out.split('\n').filter((name) => name !== '')
  const shallow = line((await git(['rev-parse', '--is-shallow-repository'], place)).out) === 'true'
  const known = names.length === 0 ? 'there is no commit yet' : `there are ${names.slice(0, 10).join(', ')}`
  const hint = didYouMean(ref, names) || `; ${known}`
  const fetched = shallow
    ? '; this clone is shallow: fetch more of the history (in CI, `fetch-depth: 0`)'
    : ''
  return new CliError(
    2,
    `error: --prove: unknown commit, branch or tag ${JSON.stringify(ref)}${hint}${fetched}`,
  )
}

/** The files in `git status -z`. A rename has two names, of which the first is the present one. */
function filesIn(status: string): string[] {
  const files: string[] = []
  const entries = status.split('\0')
  for (let n = 0; n < entries.length; n++) {
    const entry = entries[n] ?? ''
    if (entry === '') continue
    files.push(entry.slice(3))
    if (/^(?:[RC].|.[RC])/.test(entry)) n += 1
  }
  return files
}

/** Checks the commit out into a temporary folder, and removes that folder after use, even if a signal ends this
 *  program. Hooks of the repository do not run.
 *  @param use receives the folder that corresponds to the current one
 *  @throws CliError if git fails, or if the commit has no such folder */
export async function withWorktree<T>(
  { ref, commit, short, top, prefix }: Comparable,
  env: Environment,
  use: (cwd: string) => Promise<T>,
): Promise<T> {
  const temporary = realpathSync(mkdtempSync(join(tmpdir(), 'emulator-prove-')))
  const tree = join(temporary, basename(top))
  const place = { cwd: top, env }
  const remove = () => {
    // Removes git's record of the worktree too, even if it is incomplete.
    spawnSync('git', ['worktree', 'remove', '--force', '--force', tree], {
      ...optionsOf(place),
      stdio: 'ignore',
    })
    rmSync(temporary, { recursive: true, force: true, maxRetries: 3 })
    spawnSync('git', ['worktree', 'remove', '--force', '--force', tree], {
      ...optionsOf(place),
      stdio: 'ignore',
    })
  }
  process.on('exit', remove)
  try {
    const hooks = `core.hooksPath=${join(temporary, 'no-hooks')}`
    const added = await git(['-c', hooks, 'worktree', 'add', '--quiet', '--detach', tree, commit], place)
    if (added.code !== 0)
      throw new CliError(2, `error: --prove: git cannot check ${JSON.stringify(ref)} out${saidBy(added)}`)
    const cwd = join(tree, prefix)
    if (!existsSync(cwd))
      throw new CliError(
        2,
        `error: --prove: the folder ${JSON.stringify(prefix)} does not exist at ${short} (${ref}); run \`conform\` from a folder that does`,
      )
    return await use(cwd)
  } finally {
    process.off('exit', remove)
    remove()
  }
}

interface GitAnswer {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** @throws CliError if git is not installed */
function git(args: readonly string[], place: GitPlace): Promise<GitAnswer> {
  return new Promise((resolve, reject) => {
    const options = { ...optionsOf(place), encoding: 'utf8', maxBuffer: 2 ** 26 } as const
    execFile('git', args, options, (error, out, err) => {
      if (error?.code === 'ENOENT') reject(new CliError(2, 'error: --prove needs git, which was not found'))
      else resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, out, err })
    })
  })
}

/** A git hook sets variables that would make git look elsewhere. */
const ofHooks = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX', 'GIT_COMMON_DIR']

const optionsOf = ({ cwd, env }: GitPlace) => ({
  cwd,
  env: Object.fromEntries(Object.entries(env).filter(([name]) => !ofHooks.includes(name))),
})

const line = (text: string): string => text.replace(/\r?\n$/, '')

/** What git has said about a failure, on one line. */
function saidBy({ err }: GitAnswer): string {
  const said = err.trim().replaceAll(/\s*\n\s*/g, '; ')
  return said === '' ? '' : ` (git: ${plainLine(said)})`
}
