import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder that lives as long as the run: for what is dear to make and used by several files. */
    sharedFolder: string
  }
}

/** Makes the folder before all test files and removes it after them. */
export default function shareFolder({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'poe-integration-'))
  provide('sharedFolder', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}
