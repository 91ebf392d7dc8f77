import { demoCredentials } from '../domain/client/client.ts'
import type { FixtureFile } from '../domain/fixture/fixture-file.ts'
import { keyProblem } from '../domain/webhook/key-problem.ts'
import type { Clients } from '../lifecycle/clients.ts'
import type { FixtureReport, Fixtures } from '../lifecycle/fixtures.ts'
import type { Config } from './config.ts'

/** Makes the clients of a start: those of its fixtures unless the database has them, then the demo client, which a
 *  fixture may define. */
export async function makeInitialClients(
  world: readonly FixtureFile[],
  config: Config,
  { clients, fixtures }: { clients: Clients; fixtures: Fixtures },
): Promise<FixtureReport[]> {
  const reports: FixtureReport[] = []
  for (const each of world) reports.push(await fixtures.load(each, 'leave'))
  await ensureDemoClient(clients, config)
  return reports
}

/** Creates the demo client, or updates it from the flags. Its clock stays. */
async function ensureDemoClient(clients: Clients, config: Config): Promise<void> {
  const { clientId, apiSecret, accessToken, webhookSecret, webhookUrl } = config
  if (clients.find(clientId) === undefined) {
    // Secrets that the settings cannot read as keys are generated instead.
    const isReadable = keyProblem(clients.commonSettings, demoCredentials) === undefined
    const usual: Partial<typeof demoCredentials> = isReadable ? demoCredentials : {}
    await clients.create({
      clientId,
      apiSecret: apiSecret ?? usual.apiSecret,
      accessToken: accessToken ?? demoCredentials.accessToken,
      webhookSecret: webhookSecret ?? usual.webhookSecret,
      webhookUrl: webhookUrl ?? null,
    })
    return
  }
  await clients.update(clientId, { apiSecret, accessToken, webhookSecret, webhookUrl })
}
