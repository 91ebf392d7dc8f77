import { execFileSync, spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'

/** Whether a program of others is there; `.ci/run` installs them. */
export function isInstalled(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`])
    return true
  } catch {
    return false
  }
}

/** Runs a program to its end, whatever it thinks of it. */
export function runToItsEnd(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = spawn(program, args, { stdio: 'ignore', env: { PATH: process.env.PATH, ...env } })
  onTestFinished(() => void child.kill('SIGKILL'))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => resolve())
  })
}
