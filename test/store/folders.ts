import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** The names in a folder, with a hash of each file. */
export function contents(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => [name, hashOf(join(folder, name))]),
  )
}

function hashOf(path: string): string {
  const stats = lstatSync(path)
  return stats.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : `mode ${stats.mode}`
}

const owner = join(import.meta.dirname, 'owner.ts')

/** Opens a database in another process; answers that and its first line. */
export async function openElsewhere(file: string): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, [owner, '', file], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdout?.setEncoding('utf8')
  const [line] = await once(child.stdout ?? child, 'data')
  return { child, line: String(line).trim() }
}

/** The errors of another process for databases that it must not open.
 *  @param uid the user of that process, if not ours */
export function refusedElsewhere(files: readonly string[], uid: number | undefined): string[] {
  const { stdout } = spawnSync(process.execPath, [owner, uid === undefined ? '' : String(uid), ...files], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    // It waits where one could be opened.
    timeout: 10_000,
  })
  return stdout.trimEnd().split('\n')
}

/** Ends a process as a crash would. */
export async function crash(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}
