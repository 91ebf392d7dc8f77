import type { Child } from 'hono/jsx'
import type { z } from 'zod'
import { explanation, wholeScenario } from '../../../control/shapes/scenario.ts'
import { type OrderKind, orderKinds } from '../../../domain/order/order.ts'
import { reservedIds } from '../../../domain/scenario/scenario-text.ts'
import { amountFor } from '../../../domain/scenario/selection.ts'
import { type ControlApi, Refused } from '../../framework/control-api.ts'
import { Filters } from '../../framework/filters.tsx'
import { Act } from '../../framework/form.tsx'
import { Facts } from '../../framework/parts.tsx'
import { type Asked, type DashboardPage, linkTo, type Shell } from '../../framework/view.ts'
import { ScenarioEditor } from './new-scenario-page.tsx'
import { PlannedScenarios, plannedScenarios } from './planned-scenarios.tsx'
import { Timetable } from './timetable.tsx'
import { Origin } from './topics.tsx'

/** All ways to select a scenario, strongest first, ready to copy. */
function WaysToChoose({ id, shell }: { id: string; shell: Shell }) {
  const amount = amountFor(id)
  return (
    <ol class="ways">
      <Way
        name="For the next orders"
        note="Whoever creates them; with a requestId, only orders with that requestId."
      >
        <PlanIt id={id} shell={shell} />
      </Way>
      <Way name="A header of the create call" note="A proxy in your tests can add it.">
        <Copied text={`emulator-scenario: ${id}`} />
      </Way>
      <Way name="Metadata of the create call">
        <Copied text={JSON.stringify({ metadata: { emulatorScenario: id } })} />
      </Way>
      <Way name="The tag of the payer’s e-mail" note="No code changes at all.">
        <Copied text={JSON.stringify({ email: `buyer+${id}@example.com` })} />
      </Way>
      <Way name="A description" note="The field userMessage works too.">
        <Copied text={JSON.stringify({ requestDescription: `scenario: ${id}` })} />
      </Way>
      {amount === undefined ? null : (
        <Way name="The amount" note="Unless the setting scenarios.amounts is off.">
          <Copied text={JSON.stringify({ fiatAmount: amount })} />
        </Way>
      )}
      <Way name="The client’s default" note="For every order that does not choose a scenario.">
        <MakeDefault id={id} shell={shell} />
      </Way>
      {id === 'happy' ? (
        <Way name="Nothing at all" note="Applies when nothing above chooses a scenario.">
          <span class="faint">Every order that does not choose a scenario gets it.</span>
        </Way>
      ) : null}
    </ol>
  )
}

interface ChoiceProps {
  readonly id: string
  readonly shell: Shell
}

function PlanIt({ id, shell }: ChoiceProps) {
  return (
    <Act
      shell={shell}
      id="choose-next"
      at="choose"
      action={{
        method: 'POST',
        path: '/scenarios/next',
        body: { scenario: id, clientId: shell.clientId },
      }}
      label="Plan it"
      look="primary"
      fields={[
        { type: 'number', name: 'count', label: 'How many orders', placeholder: '1' },
        { type: 'text', name: 'requestId', label: 'Only this requestId', placeholder: 'any' },
        ...(shell.clientId === undefined
          ? [
              {
                type: 'text' as const,
                name: 'clientId',
                label: 'Only this client',
                placeholder: 'any',
                suggestions: shell.clients ?? undefined,
              },
            ]
          : []),
      ]}
    />
  )
}

function MakeDefault({ id, shell }: ChoiceProps) {
  return (
    <Act
      shell={shell}
      id="choose-default"
      at="choose"
      action={{ method: 'PATCH', path: '/clients/{clientId}', body: { defaultScenario: id } }}
      label="Make it the default"
      fields={[
        {
          type: 'path',
          name: 'clientId',
          label: 'Client',
          options: shell.clients ?? undefined,
          value: shell.clientId,
          required: true,
        },
      ]}
    />
  )
}

function Way({ name, note, children }: { name: string; note?: string; children?: Child }) {
  return (
    <li>
      <div>
        <h3>{name}</h3>
        {note === undefined ? null : <p class="hint">{note}</p>}
      </div>
      <div class="way form-grid">{children}</div>
    </li>
  )
}

/** Shows a text that one click selects. */
const Copied = ({ text }: { text: string }) => (
  <pre class="copied" tabindex={0}>
    <code>{text}</code>
  </pre>
)

type Scenario = z.output<typeof wholeScenario>

/** `/_emulator/ui/scenarios/{id}`: the effects of a scenario, ways to select it, and its text. The page does not
 *  refresh, so that no input is lost. */
export const scenarioPage: DashboardPage = {
  path: '/ui/scenarios/:id',
  show: async ({ api, shell, query, param }) => {
    const id = param('id')
    if (reservedIds.includes(id))
      return { title: 'Not found', status: 404, body: <p class="empty">There is no scenario “{id}”.</p> }
    const path = `/scenarios/${encodeURIComponent(id)}`
    const scenario = await api.get(path, wholeScenario)
    const explained = await explanationOf(api, `${path}/explain`, {
      clientId: shell.clientId,
      ...{ kind: query.kind || undefined, amount: query.amount || undefined, seed: query.seed || undefined },
    })
    const planned = (await plannedScenarios(api, shell)).filter((plan) => plan.scenario === scenario.id)
    return {
      title: scenario.id,
      body: (
        <div class="scenario-page">
          <Head scenario={scenario} shell={shell} />
          <PlannedScenarios shell={shell} planned={planned} />
          <Happens scenario={scenario} shell={shell} query={query} explained={explained} />
          <section aria-labelledby="choose">
            <h2 id="choose">Choose it</h2>
            <p class="hint">The first of these that applies to an order wins.</p>
            <WaysToChoose id={scenario.id} shell={shell} />
          </section>
          <TryIt scenario={scenario} shell={shell} />
          <TextOf scenario={scenario} shell={shell} />
        </div>
      ),
    }
  },
}

function Head({ scenario, shell }: { scenario: Scenario; shell: Shell }) {
  const { description, tests, file, version, problems, from } = scenario
  const origin = {
    'built-in': 'built in',
    file: file ?? 'a file',
    put: 'saved through the control API',
  }
  return (
    <>
      <p>
        <a href={linkTo(shell, '/ui/scenarios')}>All scenarios</a>
      </p>
      <p class="lead">
        {description} <Origin of={scenario} />
      </p>
      {tests === '' ? null : <p>Tests: {tests}</p>}
      <Facts
        rows={[
          ['From', origin[from]],
          ['Version', <code>{version}</code>],
        ]}
      />
      {problems.length === 0 ? null : (
        <section class="note bad" aria-label="Problems">
          <p>
            <strong>Its file has problems now.</strong> The previous version is in use.
          </p>
          <pre tabindex={0}>
            <code>{problems.join('\n')}</code>
          </pre>
        </section>
      )}
    </>
  )
}

interface HappensProps {
  readonly scenario: Scenario
  readonly shell: Shell
  readonly query: Asked['query']
  /** The timetable of the scenario, or the reason why there is none. */
  readonly explained: z.output<typeof explanation> | Refused
}

function Happens({ scenario, shell, query, explained }: HappensProps) {
  return (
    <section aria-labelledby="happens">
      <h2 id="happens">What happens</h2>
      <Filters
        shell={shell}
        path={`/ui/scenarios/${encodeURIComponent(scenario.id)}`}
        label="Show"
        filters={[
          {
            name: 'kind',
            label: 'Order',
            value: query.kind,
            options: scenario.for ?? orderKinds,
            none: 'default',
          },
          { name: 'amount', label: 'Amount', value: query.amount, placeholder: '10.00' },
          { name: 'seed', label: 'Seed', value: query.seed, placeholder: 'the emulator’s' },
        ]}
      />
      {explained instanceof Refused ? <p class="wrong">{explained.message}</p> : <Timetable of={explained} />}
    </section>
  )
}

function TryIt({ scenario, shell }: { scenario: Scenario; shell: Shell }) {
  const kinds: readonly OrderKind[] = scenario.for ?? orderKinds
  return (
    <section aria-labelledby="try">
      <h2 id="try">Try it</h2>
      <p class="hint">Creates an order that follows this scenario, without your application, and opens it.</p>
      <div class="card form-grid">
        <Act
          shell={shell}
          id="try-it"
          at="try"
          then={orderPath(shell)}
          action={{ method: 'POST', path: '/orders', body: { scenario: scenario.id } }}
          label="Create an order"
          look="primary"
          fields={[
            {
              type: 'text',
              name: 'clientId',
              label: 'Client',
              options: shell.clients ?? undefined,
              value: shell.clientId,
              required: true,
            },
            { type: 'text', name: 'kind', label: 'Kind', options: kinds },
            { type: 'text', name: 'fiatAmount', label: 'Amount', placeholder: '10.00' },
            { type: 'text', name: 'requestId', label: 'requestId', placeholder: 'generated' },
          ]}
        />
      </div>
    </section>
  )
}

/** The page of the new order, which may belong to another client than the selected one. */
const orderPath = ({ clientId }: Shell): string =>
  `/_emulator/ui/orders/{orderId}${clientId === undefined ? '' : '?clientId={clientId}'}`

function TextOf({ scenario: { id, text, from }, shell }: { scenario: Scenario; shell: Shell }) {
  return (
    <section aria-labelledby="text">
      <h2 id="text">YAML text</h2>
      <p class="hint">
        New orders use what you save here; it overrides files. Orders that have begun keep the version they
        began with.
      </p>
      <ScenarioEditor
        shell={shell}
        id="edit"
        action={{ method: 'PUT', path: `/scenarios/${encodeURIComponent(id)}` }}
        text={text}
        label="Save"
      />
      {from === 'put' ? (
        <Act
          shell={shell}
          id="take-back"
          action={{ method: 'DELETE', path: `/scenarios/${encodeURIComponent(id)}` }}
          label="Discard the saved version"
          look="danger"
          then={linkTo(shell, '/ui/scenarios')}
        />
      ) : null}
    </section>
  )
}

/** The explanation for a kind and amount; an impossible one is reported in its place. */
async function explanationOf(
  api: ControlApi,
  path: string,
  query: Readonly<Record<string, string | undefined>>,
): Promise<z.output<typeof explanation> | Refused> {
  try {
    return await api.get(path, explanation, query)
  } catch (error) {
    if (error instanceof Refused) return error
    throw error
  }
}
