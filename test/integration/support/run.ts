import { spawn } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import { text } from 'node:stream/consumers'

/** A command that has ended. */
export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** How a command is run. */
export interface RunOptions {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** The Node that `node` means, for npm too; the one of the tests if left out. */
  readonly node?: string
  /** Ended after that; two minutes if left out. */
  readonly timeoutMs?: number
}

/** Runs a command to its end, whatever that is. */
export async function run(
  command: string,
  args: readonly string[],
  { cwd, env, node = process.execPath, timeoutMs = 120_000 }: RunOptions = {},
): Promise<Ended> {
  const child = spawn(command, args, {
    cwd,
    env: { ...withNode(node), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  return { code, out, err }
}

/** Runs a command that has to succeed, and answers what it wrote. */
export async function runWell(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const { code, out, err } = await run(command, args, options)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${out}\n${err}`)
  return out
}

/** The environment of the tests without what npm has put there, in which `node` is the given one. */
function withNode(node: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))
  return { ...Object.fromEntries(own), PATH: `${dirname(node)}${delimiter}${process.env.PATH}` }
}
