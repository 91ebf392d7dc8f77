import type * as z from 'zod'
import { about } from '../../../control/shapes/about.ts'
import { client } from '../../../control/shapes/client.ts'
import { pageOf } from '../../../control/shapes/common.ts'
import { shippedFixture, wholeFixture } from '../../../control/shapes/fixture.ts'
import { spanWords } from '../../../domain/text/duration.ts'
import { type ControlApi, orNull } from '../../framework/control-api.ts'
import { Act } from '../../framework/form.tsx'
import { Confirm, Facts } from '../../framework/parts.tsx'
import { type Asked, type DashboardPage, linkTo, type Shell } from '../../framework/view.ts'
import { linkToCoverage } from '../coverage/coverage-page.tsx'
import { Reset } from './reset.tsx'
import { Snapshots } from './snapshots.tsx'

interface Shipped extends z.output<typeof shippedFixture> {
  /** Whether one of its clients exists already. */
  readonly isHere: boolean
}

interface Fixtures {
  readonly shipped: readonly Shipped[]
  /** The built-in fixture whose text is in the form. */
  readonly chosen: z.output<typeof wholeFixture> | null
}

/** Reads the fixtures for the page.
 *  @throws Refused if the query names an unknown fixture */
async function shownFixtures({ api, query: { fixture } }: Asked): Promise<Fixtures> {
  const { items } = await api.get('/fixtures', pageOf(shippedFixture))
  const shipped = items.map(async (each) => {
    const here = await Promise.all(each.clients.map(({ clientId }) => isHere(clientId, api)))
    return { ...each, isHere: here.includes(true) }
  })
  const chosen = fixture ? await api.get(`/fixtures/${encodeURIComponent(fixture)}`, wholeFixture) : null
  return { shipped: await Promise.all(shipped), chosen }
}

const isHere = async (clientId: string, api: ControlApi): Promise<boolean> =>
  (await orNull(api.get(`/clients/${encodeURIComponent(clientId)}`, client))) !== null

/** Loads built-in fixtures by a button, and others as text. */
function LoadFixtures({ fixtures: { shipped, chosen }, shell }: { fixtures: Fixtures; shell: Shell }) {
  return (
    <section aria-labelledby="fixtures">
      <h2 id="fixtures">Load sample data</h2>
      <p>
        A fixture is a file with clients and their orders, in any state of the order lifecycle. It is loaded
        completely or not at all.
      </p>
      <div class="cards">
        {shipped.map((fixture) => (
          <FixtureCard fixture={fixture} shell={shell} />
        ))}
      </div>
      <h3 id="paste">Your own fixture</h3>
      <Act
        shell={shell}
        id="load-text"
        action={{ method: 'POST', path: '/fixtures' }}
        label="Load it"
        look="primary"
        fields={[
          {
            type: 'yaml',
            name: '',
            label: 'Fixture, in YAML or JSON',
            value: chosen?.text,
            rows: 14,
            placeholder:
              'clients:\n  - clientId: shop\n    orders:\n      - { requestId: r1, status: COMPLETED }',
            required: true,
          },
          {
            type: 'query',
            name: 'replace',
            label: 'If its clients already exist',
            options: [
              { value: '', label: 'load nothing' },
              { value: 'true', label: 'replace them and all their data' },
            ],
          },
        ]}
      />
    </section>
  )
}

function FixtureCard({ fixture, shell }: { fixture: Shipped; shell: Shell }) {
  const { name, description, clients } = fixture
  const action = { method: 'POST' as const, path: `/fixtures/${encodeURIComponent(name)}` }
  return (
    <article class="card" aria-labelledby={`fixture-${name}`}>
      <h3 id={`fixture-${name}`}>{name}</h3>
      <p>
        {description}.{' '}
        {clients.map(({ clientId, orders }) => `${clientId}: ${ordersWords(orders)}`).join('; ')}.
      </p>
      <p>
        <a href={`${linkTo(shell, '/ui/world', { fixture: name })}#paste`}>View and edit it</a>
      </p>
      {fixture.isHere ? (
        <Confirm id={`confirm-${name}`} label="Load it again…">
          <p>Its clients already exist. Loading the fixture replaces them and all their data.</p>
          <Act
            shell={shell}
            id={`load-${name}`}
            action={{ ...action, query: { replace: 'true' } }}
            label={`Replace ${clients.map(({ clientId }) => clientId).join(', ')}`}
            look="danger"
          />
        </Confirm>
      ) : (
        <Act shell={shell} id={`load-${name}`} action={action} label="Load it" />
      )}
    </article>
  )
}

const ordersWords = (orders: number) =>
  orders === 0 ? 'no orders' : `${orders} ${orders === 1 ? 'order' : 'orders'}`

/** `/_emulator/ui/world`: the running emulator, with loading, saving, restoring and resetting all data. */
export const worldPage: DashboardPage = {
  path: '/ui/world',
  show: async (asked) => {
    const { api, shell } = asked
    const { clientId } = shell
    const facts = await api.get('/about', about, { clientId })
    const fixtures = await shownFixtures(asked)
    return {
      title: clientId === undefined ? 'Data' : `Data of ${clientId}`,
      isLive: true,
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
