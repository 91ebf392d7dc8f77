import type { z } from 'zod'
import { client } from '../../../control/shapes/client.ts'
import { shippedFixture, wholeFixture } from '../../../control/shapes/fixture.ts'
import { pageOf } from '../../../control/shapes/page.ts'
import { Confirm } from '../confirm.tsx'
import { type ControlApi, orNull } from '../control-api.ts'
import { Act } from '../form.tsx'
import { type Asked, linkTo, type Shell } from '../view.ts'

interface Shipped extends z.output<typeof shippedFixture> {
  /** Whether one of its clients is here already. */
  readonly isHere: boolean
}

interface Fixtures {
  readonly shipped: readonly Shipped[]
  /** The one whose text stands in the form. */
  readonly chosen: z.output<typeof wholeFixture> | null
}

/** What the page shows of fixtures. @throws Refused if the query names one that is not there */
export async function shownFixtures({ api, query: { fixture } }: Asked): Promise<Fixtures> {
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

/** Loading worlds: those that ship, by a button, and others as text. */
export function LoadFixtures({ fixtures: { shipped, chosen }, shell }: { fixtures: Fixtures; shell: Shell }) {
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
