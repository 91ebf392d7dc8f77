import { closeSync, existsSync, mkdirSync, openSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { GiveUp } from '../give-up.ts'

/** Makes sure that a file can be written, before anything long begins; makes its folder. @throws GiveUp */
export function makeWritable(file: string): void {
  attempt(file, () => {
    mkdirSync(dirname(file), { recursive: true })
    const isNew = !existsSync(file)
    closeSync(openSync(file, 'a'))
    if (isNew) unlinkSync(file)
  })
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
    throw new GiveUp(2, `error: cannot write ${JSON.stringify(file)}: ${reason}`)
  }
}
