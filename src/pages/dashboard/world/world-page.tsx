import type { z } from 'zod'
import { about } from '../../../control/shapes/about.ts'
import { linkToCoverage } from '../coverage/coverage-page.tsx'
import { Facts } from '../parts.tsx'
import { spanWords } from '../span-words.ts'
import type { DashboardPage } from '../view.ts'
import { LoadFixtures, shownFixtures } from './fixtures.tsx'
import { Reset } from './reset.tsx'
import { Snapshots } from './snapshots.tsx'

/** `/_emulator/ui/world`: what runs here, and all of it at once: loaded, saved, restored, put back to the start. */
export const worldPage: DashboardPage = {
  path: '/ui/world',
  show: async (asked) => {
    const { api, shell } = asked
    const { clientId } = shell
    const facts = await api.get('/about', about, { clientId })
    const fixtures = await shownFixtures(asked)
    return {
      title: clientId === undefined ? 'Data' : `Data of ${clientId}`,
      topics: ['order', 'delivery', 'request', 'clock'],
      body: (
        <>
          <section aria-labelledby="about">
            <h2 id="about">This emulator</h2>
            <AboutFacts about={facts} />
            <p>
              <a href={linkToCoverage(shell)}>Which behaviours of the service your tests have met</a>
            </p>
          </section>
          <LoadFixtures fixtures={fixtures} shell={shell} />
          <Snapshots shell={shell} />
          <Reset shell={shell} />
        </>
      ),
    }
  },
}

function AboutFacts({ about: { holds, ...process } }: { about: z.output<typeof about> }) {
  const count = (number: number | null) => number?.toLocaleString('en')
  const rows = [
    ['Version', `${process.version}, on Node ${process.runtime}`],
    ['Uptime', spanWords(process.uptimeMs)],
    ['Seed', <code>{process.seed}</code>],
    ['Database', databaseWords(process.database)],
    ['Memory', `${Math.round(process.memoryBytes / 1024 / 1024)} MiB`],
    ['Clients', count(holds.clients)],
    ['Orders', count(holds.orders)],
    ['Webhooks waiting', count(holds.pendingDeliveries)],
    ['Webhooks held back', count(holds.heldDeliveries)],
    ['Requests stored', count(holds.keptRequests)],
    ['Requests replaced by newer ones', count(holds.prunedRequests)],
  ] as const
  return <Facts rows={rows.filter(([, value]) => value !== undefined)} />
}

const databaseWords = (database: string) =>
  database === ':memory:' ? 'in memory, lost when the emulator stops' : <code>{database}</code>
