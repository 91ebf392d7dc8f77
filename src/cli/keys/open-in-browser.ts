import { spawn } from 'node:child_process'
import type { Environment } from '../terminal.ts'

/** Opens a URL with the program that this system has for it.
 *  @returns whether there is such a program, and it did not fail at once */
export function openInBrowser(url: string, env: Environment, platform = process.platform): Promise<boolean> {
  const [program, ...args] = openers[platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true, env: { ...env } })
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === 0))
    child.unref()
  })
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  // `start` takes its first quoted argument for a title.
  win32: ['cmd', '/c', 'start', '""'],
}
