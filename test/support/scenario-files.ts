import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder of scenario files for one test.
 *  @param rest what follows the description of each scenario, by id; nothing happens unless it has a timeline */
export function scenarioFiles(rest: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'poe-scenarios-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [id, text] of Object.entries(rest)) {
    const timeline = text.includes('timeline:') ? '' : 'timeline: []\n'
    writeFileSync(join(folder, `${id}.yaml`), `id: ${id}\ndescription: for a test\n${timeline}${text}\n`)
  }
  return folder
}
