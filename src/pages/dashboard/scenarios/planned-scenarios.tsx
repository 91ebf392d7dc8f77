import type { z } from 'zod'
import { binding } from '../../../control/shapes/scenario.ts'
import type { ControlApi } from '../../framework/control-api.ts'
import { allItems } from '../../framework/control-api.ts'
import { Act } from '../../framework/form.tsx'
import { linkTo, type Shell, scenarioPath } from '../../framework/view.ts'

type Binding = z.output<typeof binding>

/** The scenarios planned for coming orders: of the selected client and of any, or all. */
export async function plannedScenarios(api: ControlApi, { clientId }: Shell): Promise<Binding[]> {
  const all = await allItems(api, '/scenarios/next', binding)
  return clientId === undefined
    ? all
    : all.filter((each) => each.clientId === null || each.clientId === clientId)
}

/** The table of planned scenarios; nothing if there are none. */
export function PlannedScenarios({ shell, planned }: { shell: Shell; planned: readonly Binding[] }) {
  if (planned.length === 0) return null
  return (
    <section class="card planned" aria-labelledby="planned">
      <h2 id="planned">Planned for coming orders</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Scenario</th>
            <th scope="col">For</th>
            <th scope="col">Client</th>
            <th scope="col">
              <span class="unseen">Take back</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {planned.map((plan) => (
            <Plan plan={plan} shell={shell} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Plan({
  plan: { id, scenario, clientId, requestId, remaining },
  shell,
}: {
  plan: Binding
  shell: Shell
}) {
  const orders = remaining === 1 ? 'the next order' : `the next ${remaining} orders`
  return (
    <tr id={id}>
      <td data-label="Scenario">
        <a href={linkTo(shell, scenarioPath(scenario))}>{scenario}</a>
      </td>
      <td data-label="For">
        {requestId === null ? (
          orders
        ) : (
          <>
            {orders} with the requestId <code>{requestId}</code>
          </>
        )}
      </td>
      <td data-label="Client">{clientId ?? 'any'}</td>
      <td>
        <Act
          shell={shell}
          id={`unplan-${id}`}
          action={{ method: 'DELETE', path: '/scenarios/next', query: { id } }}
          label="Take back"
        />
      </td>
    </tr>
  )
}
