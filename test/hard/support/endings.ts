import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { program, type StartOptions } from './program.ts'

/** How a start ended that was not expected to come far. */
export interface Ending {
  /** The exit code, or the signal that ended it. */
  readonly end: number | string
  readonly stdout: string
  readonly stderr: string
  /** It became ready, and was stopped. */
  readonly ready: boolean
}

/** Starts the built program and waits for its end. If it unexpectedly becomes ready, it is stopped. */
export async function endingOf(
  args: readonly string[],
  { nodeArgs = [], env }: StartOptions = {},
): Promise<Ending> {
  const child = spawn(
    process.execPath,
    [...nodeArgs, program, 'serve', '--port', '0', '--log', 'json', ...args],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, ...env },
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  const said = { stdout: '', stderr: '' }
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text
  })
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text
    if (isReady(said.stdout)) child.kill('SIGTERM')
  })
  const [code, signal] = await once(child, 'close')
  return { ...said, end: signal ?? code, ready: isReady(said.stdout) }
}

const isReady = (stdout: string) => stdout.includes('"event":"ready"')
