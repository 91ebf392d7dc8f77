import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aFolder } from './folder.ts'

/** A folder of scenario files for one test.
 *  @param rest what follows the description of each scenario, by id; nothing happens unless it has a timeline */
export function scenarioFiles(rest: Readonly<Record<string, string>>): string {
  const folder = aFolder()
  for (const [id, text] of Object.entries(rest)) {
    const timeline = text.includes('timeline:') ? '' : 'timeline: []\n'
    writeFileSync(join(folder, `${id}.yaml`), `id: ${id}\ndescription: for a test\n${timeline}${text}\n`)
  }
  return folder
}
