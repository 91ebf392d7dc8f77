import type { z } from 'zod'
import { client as clientShape } from '../../../control/shapes/client.ts'
import { brokenFile, scenarioSummary } from '../../../control/shapes/scenario.ts'
import { orderKinds } from '../../../domain/order/order.ts'
import { spanWords } from '../../../domain/text/duration.ts'
import { allItems } from '../../framework/control-api.ts'
import { Filters } from '../../framework/filters.tsx'
import { Act } from '../../framework/form.tsx'
import { Empty, toneOf } from '../../framework/parts.tsx'
import { type DashboardPage, linkTo, type Shell, scenarioPath } from '../../framework/view.ts'
import { SmallTimeLine } from '../orders/timeline.tsx'
import { smallDrawingOf } from '../orders/timeline-drawing.ts'
import type { TimelineEvent } from '../orders/timeline-events.ts'
import { PlannedScenarios, plannedScenarios } from './planned-scenarios.tsx'
import { byTopic, Origin } from './topics.tsx'

type Summary = z.output<typeof scenarioSummary>

const path = '/ui/scenarios'

/** `/_emulator/ui/scenarios`: the library by topic, and the plans for coming orders. */
export const scenariosPage: DashboardPage = {
  path,
  show: async ({ api, shell, query }) => {
    const scenarios = await allItems(api, '/scenarios', scenarioSummary)
    const problems = await allItems(api, '/scenarios/problems', brokenFile)
    const planned = await plannedScenarios(api, shell)
    const clients = await allItems(api, '/clients', clientShape, { clientId: shell.clientId })
    const found = scenarios.filter((scenario) => isSelected(scenario, query))
    return {
      title: 'Scenarios',
      // Orders do not change the library; they only use up plans.
      isLive: true,
      tools: <Tools shell={shell} query={query} />,
      body: (
        <>
          <BrokenFiles problems={problems} />
          <PlannedScenarios shell={shell} planned={planned} />
          {found.length === 0 ? (
            <Empty title="No scenario matches">
              <p>
                <a href={linkTo(shell, path)}>Show all {scenarios.length}</a>, or{' '}
                <a href={linkTo(shell, '/ui/new-scenario')}>write your own</a>.
              </p>
            </Empty>
          ) : (
            byTopic(found).map((topic) => <Topic {...topic} shell={shell} defaults={defaultsOf(clients)} />)
          )}
        </>
      ),
    }
  },
}

function Tools({ shell, query }: { shell: Shell; query: Readonly<Record<string, string | undefined>> }) {
  return (
    <>
      <p class="lead">
        A scenario defines what happens to an order. Choose one for the next order, for a client, or in your
        own test.
      </p>
      <div class="scenario-tools">
        <Filters
          shell={shell}
          path={path}
          filters={[
            { name: 'q', label: 'Search', value: query.q, placeholder: 'late, refund, 9004 …', wide: true },
            { name: 'for', label: 'For', value: query.for, options: orderKinds },
            {
              name: 'from',
              label: 'From',
              value: query.from,
              options: [
                { value: 'built-in', label: 'built-in scenarios' },
                { value: 'own', label: 'you' },
              ],
            },
          ]}
        />
        <a class="button" href={linkTo(shell, '/ui/new-scenario')}>
          New scenario
        </a>
      </div>
    </>
  )
}

function Topic({
  title,
  about,
  items,
  shell,
  defaults,
}: {
  title: string
  about: string
  items: readonly Summary[]
  shell: Shell
  defaults: Defaults
}) {
  return (
    <section class="scenario-topic">
      <h2>
        {title} <span class="count">{items.length}</span>
      </h2>
      <p class="hint">{about}</p>
      <ul class="scenario-list">
        {items.map((scenario) => (
          <Scenario scenario={scenario} shell={shell} defaults={defaults} />
        ))}
      </ul>
    </section>
  )
}

function Scenario({ scenario, shell, defaults }: { scenario: Summary; shell: Shell; defaults: Defaults }) {
  const { id, description, tests } = scenario
  const { clientId } = shell
  const of = defaults.of(id)
  return (
    <li class="scenario" id={`scenario-${id}`}>
      <div class="scenario-words">
        <h3>
          <a href={linkTo(shell, scenarioPath(id))}>{id}</a> <Origin of={scenario} />
          {of.length === 0 ? null : <span class="status good wraps">default of {of.join(', ')}</span>}
        </h3>
        <p>{description}</p>
        <Steps steps={scenario.steps} />
        {tests === '' ? null : <p class="hint">Tests: {tests}</p>}
      </div>
      <div class="act-row">
        <Act
          shell={shell}
          id={`next-${id}`}
          at={`scenario-${id}`}
          action={{ method: 'POST', path: '/scenarios/next', body: { scenario: id, clientId } }}
          label="Use for the next order"
        />
        {defaults.client === undefined ? (
          <a class="button quiet" href={`${linkTo(shell, scenarioPath(id))}#choose`}>
            Make default …
          </a>
        ) : (
          <Act
            shell={shell}
            id={`default-${id}`}
            at={`scenario-${id}`}
            action={{
              method: 'PATCH',
              path: `/clients/${encodeURIComponent(defaults.client)}`,
              body: { defaultScenario: id },
            }}
            label="Make default"
            look="quiet"
          />
        )}
      </div>
    </li>
  )
}

const created = { afterMs: 0, what: 'created', orderStatus: 'CREATED' }

/** The steps of a scenario as a small time line, as if all had happened. */
function Steps({ steps }: Pick<Summary, 'steps'>) {
  if (steps.length === 0) return null
  const last = Math.max(0, ...steps.flatMap(({ afterMs }) => afterMs ?? []))
  const all = [created, ...steps]
  const story = all.map(({ afterMs, what, orderStatus }, index): TimelineEvent => {
    const tone = orderStatus === null ? 'other' : toneOf(orderStatus)
    const when = afterMs === null ? 'later' : `after ${spanWords(afterMs)}`
    return {
      ...{ id: String(index), lane: 'step', at: afterMs, done: afterMs !== null, tone },
      ...{ label: what, words: `${what} ${when}` },
    }
  })
  const statuses = all.flatMap(({ afterMs, orderStatus }) =>
    afterMs === null || orderStatus === null
      ? []
      : [{ at: afterMs, status: orderStatus, tone: toneOf(orderStatus) }],
  )
  return (
    <SmallTimeLine
      isPlan
      drawing={smallDrawingOf(story, { name: 'Order', statuses }, last)}
      words={`Time line: ${story.map(({ words }) => words).join(', ')}`}
    />
  )
}

/** Lists scenario files that have problems. */
function BrokenFiles({ problems }: { problems: readonly z.output<typeof brokenFile>[] }) {
  if (problems.length === 0) return null
  return (
    <section class="note bad" aria-label="Files with problems">
      <p>
        <strong>Some files have problems and cannot be used.</strong> Fix and save them; they are reloaded
        immediately.
      </p>
      <ul class="problems">
        {problems.map(({ file, line, column, message, used }) => (
          <li>
            <code>
              {file}:{line}:{column}
            </code>{' '}
            {message}{' '}
            <span class="faint">{used ? 'The previous version is in use.' : 'No version is in use.'}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface Defaults {
  /** The client whose default scenario the buttons set, if only one is possible. */
  readonly client: string | undefined
  readonly of: (scenario: string) => readonly string[]
}

/** The number of clients named; more would be noise. */
const namedAtMost = 3

function defaultsOf(clients: readonly z.output<typeof clientShape>[]): Defaults {
  const [only, ...others] = clients
  return {
    client: others.length === 0 ? only?.clientId : undefined,
    of: (scenario) => {
      const names = clients.flatMap(({ clientId, defaultScenario }) =>
        defaultScenario === scenario ? [clientId] : [],
      )
      const more = names.length - namedAtMost
      return more > 0 ? [...names.slice(0, namedAtMost), `${more} more`] : names
    },
  }
}

function isSelected(
  { id, description, tests, for: kinds, from }: Summary,
  query: Readonly<Record<string, string | undefined>>,
): boolean {
  const text = `${id} ${description} ${tests}`.toLowerCase()
  const words = (query.q ?? '').toLowerCase().split(/\s+/)
  const isFor = !query.for || kinds === null || kinds.some((kind) => kind === query.for)
  const isFrom = !query.from || (query.from === 'own') === (from !== 'built-in')
  return isFor && isFrom && words.every((word) => text.includes(word))
}
