import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConfigInput } from '../../src/app/config.ts'
import type { ClientFields } from './client.ts'
import { type Fixture, startFixture } from './emulator.ts'
import { aFolder } from './folder.ts'

/** An emulator whose client C1 follows a scenario with these lines. */
export async function under(
  lines: string,
  fields: ClientFields = {},
  overrides: ConfigInput = {},
): Promise<Fixture> {
  const folder = aFolder()
  writeFileSync(join(folder, 'mine.yaml'), `id: mine\ndescription: for a test\n${lines}`)
  return startFixture({ defaultScenario: 'mine', ...fields }, { scenarios: [folder], ...overrides })
}
