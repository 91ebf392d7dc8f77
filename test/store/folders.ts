import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** What stands in a folder: the names, and a hash of each file. */
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

/** Opens a database in another process; answers that and its first line.
 *  @param uid user that the process becomes, if not ours */
export async function openElsewhere(
  file: string,
  uid?: number,
): Promise<{ child: ChildProcess; line: string }> {
  const user = uid === undefined ? [] : [String(uid)]
  const child = spawn(process.execPath, [join(import.meta.dirname, 'owner.ts'), file, ...user], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdout?.setEncoding('utf8')
  const [line] = await once(child.stdout ?? child, 'data')
  return { child, line: String(line).trim() }
}

/** Ends a process as a crash would. */
export async function crash(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}
