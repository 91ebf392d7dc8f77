import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
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
export default function shareFolder({ provide }: TestProject): () => Promise<void> {
  // With a space: some users have one, and some tools stumble over it.
  const folder = mkdtempSync(join(tmpdir(), 'poe integration-'))
  provide('sharedFolder', folder)
  // Not at a stroke: it takes seconds, in which vitest would take its worker for stuck.
  return () => rm(folder, { recursive: true, force: true })
}
