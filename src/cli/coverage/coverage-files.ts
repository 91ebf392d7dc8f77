import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { type Met, sections } from '../../domain/coverage/event.ts'
import { GiveUp } from '../give-up.ts'

const line = z.object({ section: z.enum(sections), name: z.string(), count: z.int().nonnegative() })

/** What the emulators of a suite have written into a folder, together. @throws GiveUp */
export function metIn(folder: string): Met[] {
  const names = attempt(folder, () => readdirSync(folder)).filter((name) => name.endsWith('.jsonl'))
  return names.flatMap((name) => {
    const file = join(folder, name)
    return linesOf(
      attempt(file, () => readFileSync(file, 'utf8')),
      file,
    )
  })
}

/** A line that was never ended is of a process that was killed while it wrote, and says nothing. */
function linesOf(text: string, file: string): Met[] {
  const lines = text.split('\n').slice(0, -1)
  return lines.map((each, index) => {
    const read = line.safeParse(jsonIn(each))
    if (read.success) return read.data
    throw new GiveUp(
      2,
      `error: ${JSON.stringify(file)}: line ${index + 1} is not coverage data; remove the file`,
    )
  })
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function attempt<T>(path: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new GiveUp(2, `error: ${JSON.stringify(path)} cannot be read: ${reason}`)
  }
}
