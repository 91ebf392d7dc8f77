import { execFileSync } from 'node:child_process'

/** Why the image cannot be built and run on this machine; null if it can. Anywhere but in CI that is no failure. */
export function whatIsMissing(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'containers take root on Linux'
  const missing = ['buildah', 'crun', 'debootstrap', 'unshare'].filter((command) => !isThere(command))
  if (missing.length > 0) return `not installed: ${missing.join(', ')}`
  return null
}

function isThere(command: string): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v "$1"', 'sh', command])
    return true
  } catch {
    return false
  }
}
