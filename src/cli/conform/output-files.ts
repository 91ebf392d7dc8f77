import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { GiveUp } from '../give-up.ts'

/** Makes the folder that a file is to lie in, before anything long begins. @throws GiveUp */
export function makeFolderOf(file: string): void {
  attempt(file, () => mkdirSync(dirname(file), { recursive: true }))
}

/** Writes a file of results. @throws GiveUp */
export function writeResult(file: string, text: string): void {
  attempt(file, () => writeFileSync(file, text))
}

function attempt(file: string, act: () => unknown): void {
  try {
    act()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new GiveUp(2, `error: ${JSON.stringify(file)} cannot be written: ${reason}`)
  }
}
