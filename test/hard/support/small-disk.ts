import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { aFolder } from './load.ts'

/** Where a program's database may lie, and a way to take its space away. */
export interface Space {
  readonly database: string
  /** From now on the program (its process id) can write nothing more. */
  fill(pid: number | undefined): void
  /** Gives the space back. */
  free(pid: number | undefined): void
}

/** A file system of its own, which goes with the test.
 *  @returns why that is not possible here, if it is not */
export function aSmallDisk(): Space | string {
  const folder = aFolder()
  const mount = ['mount', '-t', 'tmpfs', '-o', 'size=512m,mode=777', 'tmpfs', folder]
  const mounter = [[], ['sudo', '-n']].find((prefix) => runs([...prefix, ...mount]))
  if (mounter === undefined) return 'no file system can be mounted here: that takes root'
  onTestFinished(() => void runs([...mounter, 'umount', '--lazy', folder]))
  const ballast = join(folder, 'ballast')
  return {
    database: join(folder, 'e.db'),
    fill: () => {
      const file = openSync(ballast, 'w')
      for (let piece = 64 * 1024; piece >= 512; piece /= 2) writeUntilFull(file, piece)
      closeSync(file)
    },
    free: () => rmSync(ballast),
  }
}

/** A limit on how far the program may write into files, which acts like a used-up quota. Takes no rights.
 *  @returns why that is not possible here, if it is not */
export function aLimitedFile(): Space | string {
  if (!runs(['prlimit', '--version'])) return 'there is no prlimit here, which Linux has'
  const limit = (pid: number | undefined, bytes: number | 'unlimited') =>
    execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`])
  return {
    database: join(aFolder(), 'e.db'),
    fill: (pid) => limit(pid, 0),
    free: (pid) => limit(pid, 'unlimited'),
  }
}

function runs([command = '', ...args]: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function writeUntilFull(file: number, bytes: number): void {
  try {
    for (;;) writeSync(file, Buffer.alloc(bytes))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}
