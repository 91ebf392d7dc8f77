import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ConformReport } from '../../conform/index.ts'
import { plainLine } from '../../conform/report/lines.ts'
import { type Proof, proofMarkdown, proofOf, proofText } from '../../conform/report/proof.ts'
import { CliError } from '../cli-error.ts'
import { appendSummary } from '../output-files.ts'
import { shellQuote } from '../program-call.ts'
import type { Terminal } from '../terminal.ts'
import { beside } from './beside.ts'
import { readComparable, withWorktree } from './git.ts'
import { shownReport } from './hidden-values.ts'
import type { ChosenConfig, ConformFlags } from './options.ts'
import { NotStarted } from './started-application.ts'
import { styleOf, tested } from './test-run.ts'

/** How long an application may take to accept connections; its command may install dependencies first. */
const startMs = 300_000

/** Runs the test cases at an earlier commit, in a worktree of its own, and then in the present tree. Both runs
 *  have the same seed and configuration.
 *  @param signal aborts the run
 *  @throws CliError; the abort reason */
export async function proved(
  { ref, command }: { ref: string; command: readonly string[] },
  chosen: ChosenConfig,
  options: ConformFlags,
  { terminal, signal }: { terminal: Terminal; signal: AbortSignal },
): Promise<Proof> {
  const { env } = terminal
  const compared = await readComparable(ref, { cwd: process.cwd(), env })
  const seed = options.seed ?? randomBytes(4).toString('hex')
  const run = async (where: string, cwd?: string): Promise<ConformReport> => {
    signal.throwIfAborted()
    const place = { name: options.name, terminal, signal, cwd, startMs }
    const { result, obituary } = await beside(command, chosen.config, place, (access, application) =>
      tested(access, chosen.config, { ...options, seed }, { terminal, signal, application }),
    )
    if (obituary !== null) terminal.err(`${where}: ${chosen.hidden.in(obituary)}`)
    return shownReport(result, chosen.hidden)
  }
  terminal.err(`testing ${compared.short}, in a temporary worktree`)
  const before = await withWorktree(compared, env, (cwd) =>
    named(`at ${compared.short}`, (where) =>
      run(where, cwd).catch((error: unknown) => {
        throw withDependencies(error, command, cwd)
      }),
    ),
  )
  terminal.err('testing the present tree')
  const now = await named('in the present tree', run)
  const { commit, short, uncommitted } = compared
  return proofOf({ ref, commit, short, uncommitted }, before, now)
}

/** Writes a proof to the terminal and the summary.
 *  @returns the exit code */
export function writeProof(
  proof: Proof,
  { json, summary }: Pick<ConformFlags, 'json' | 'summary'>,
  terminal: Terminal,
): number {
  terminal.out(json ? JSON.stringify(proof) : proofText(proof, styleOf(terminal)))
  appendSummary(summary, proofMarkdown(proof), terminal.env)
  if (proof.worse.length > 0) return 1
  return proof.fixed.length > 0 ? 0 : 3
}

/** Runs the cases, and says in which tree it failed.
 *  @throws CliError if no case ran */
async function named(where: string, run: (where: string) => Promise<ConformReport>): Promise<ConformReport> {
  try {
    const report = await run(where)
    const problems = report.problems.map(({ member, message }) => `\n  ${plainLine(`${member}: ${message}`)}`)
    if (report.cases.length > 0) return report
    throw new CliError(2, `error: no test case ran, the configuration has problems:${problems.join('')}`)
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    throw new CliError(error.exitCode, error.message.replace(/^error: /, `error: ${where}: `))
  }
}

/** Folders that are rarely committed, with the commands that make them; the first whose lock file exists counts. */
const dependencies: Readonly<Record<string, readonly (readonly [file: string, install: string])[]>> = {
  node_modules: [
    ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile'],
    ['yarn.lock', 'yarn install'],
    ['package-lock.json', 'npm ci'],
    ['package.json', 'npm install'],
  ],
  '.venv': [['requirements.txt', 'python3 -m venv .venv && .venv/bin/pip install -r requirements.txt']],
  venv: [['requirements.txt', 'python3 -m venv venv && venv/bin/pip install -r requirements.txt']],
  vendor: [
    ['composer.json', 'composer install'],
    ['Gemfile', 'bundle install'],
    ['go.mod', 'go mod vendor'],
  ],
}

/** Adds to the error of an application that does not start which dependencies are missing in its worktree. */
function withDependencies(error: unknown, command: readonly string[], cwd: string): unknown {
  if (!(error instanceof NotStarted)) return error
  const missing = Object.keys(dependencies).filter((name) => existsSync(name) && !existsSync(join(cwd, name)))
  const [first] = missing
  if (first === undefined) return error
  const found = dependencies[first]?.find(([file]) => existsSync(join(cwd, file)))
  const names = missing.map((name) => `\`${name}\``).join(' and ')
  const how =
    found === undefined
      ? 'let the command install it before it starts your application'
      : `let the command install it first: \`-- sh -c ${shellQuote(`${found[1]} && ${scriptOf(command)}`)}\``
  return new NotStarted(
    error.exitCode,
    `${error.message}\nThe worktree has no ${names}, since git does not track that; ${how}`,
  )
}

/** The command as a part of a shell script. */
const scriptOf = (command: readonly string[]): string =>
  command.length === 3 && /^(?:\/bin\/)?(?:ba)?sh$/.test(command[0] ?? '') && command[1] === '-c'
    ? (command[2] ?? '')
    : command.map(shellQuote).join(' ')
