import type { Config } from './config.ts'
import { ensureDemoClient } from './demo-client.ts'
import type { FixtureFile } from './domain/fixture/fixture-file.ts'
import type { Clients } from './lifecycle/clients.ts'
import type { FixtureReport, Fixtures } from './lifecycle/fixtures.ts'

/** Makes the clients that an emulator begins with: those of its fixtures, unless the database has them already, and
 *  then the demo client, which a fixture may have brought. */
export async function beginWorlds(
  world: readonly FixtureFile[],
  config: Config,
  { clients, fixtures }: { clients: Clients; fixtures: Fixtures },
): Promise<FixtureReport[]> {
  const reports: FixtureReport[] = []
  for (const each of world) reports.push(await fixtures.load(each, 'leave'))
  await ensureDemoClient(clients, config)
  return reports
}
