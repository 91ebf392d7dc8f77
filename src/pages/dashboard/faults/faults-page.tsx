import type { z } from 'zod'
import { pageOf } from '../../../control/shapes/common.ts'
import { fault as faultShape } from '../../../control/shapes/fault.ts'
import { allItems } from '../../framework/control-api.ts'
import { Act } from '../../framework/form.tsx'
import { Confirm, Empty, Moment, Paging } from '../../framework/parts.tsx'
import { type Asked, type DashboardPage, linkTo, type Shell } from '../../framework/view.ts'
import { FaultForm } from './fault-form.tsx'
import { effectWords, limitWords, targetWords } from './fault-words.ts'

type Fault = z.output<typeof faultShape>

const path = '/ui/faults'
const shownAtOnce = '50'

/** `/_emulator/ui/faults`: the planned faults with their counts, and a form for more. */
export const faultsPage: DashboardPage = {
  path,
  show: async (asked) => {
    const { api, shell, query } = asked
    const { items, next } = await api.get('/faults', pageOf(faultShape), {
      order: 'newest',
      limit: shownAtOnce,
      clientId: shell.clientId,
      over: query.over || undefined,
      cursor: query.cursor,
    })
    const common = await commonFaults(asked)
    return {
      title: 'Faults',
      isLive: true,
      tools: (
        <>
          <p class="lead">
            Make a call fail or a webhook get lost, now, without a scenario. Each fault ends automatically.
          </p>
          <FaultForm
            shell={shell}
            kind={query.plan}
            about={{ on: query.on, requestId: query.requestId }}
            isOpen={(items.length + common.length === 0 && !query.over) || query.plan !== undefined}
          />
        </>
      ),
      body: (
        <>
          <List shell={shell} own={items} common={common} over={query.over} />
          <Paging
            first={query.cursor === undefined ? null : linkTo(shell, path, { over: query.over })}
            next={next === null ? null : linkTo(shell, path, { over: query.over, cursor: next })}
          />
        </>
      ),
    }
  },
}

/** The faults of all clients, which apply to the selected client's calls as well; on the first page only. */
async function commonFaults({ api, shell, query }: Asked): Promise<Fault[]> {
  if (shell.clientId === undefined || query.cursor !== undefined) return []
  const all = await allItems(api, '/faults', faultShape, { order: 'newest', over: query.over || undefined })
  return all.filter(({ clientId }) => clientId === null)
}

const parts = [
  [undefined, 'All'],
  ['false', 'Active'],
  ['true', 'Over'],
] as const

interface ListProps {
  readonly shell: Shell
  readonly own: readonly Fault[]
  readonly common: readonly Fault[]
  readonly over: string | undefined
}

function List({ shell, own, common, over }: ListProps) {
  const items = [...own, ...common]
  if (items.length === 0 && !over) return <Nothing shell={shell} />
  return (
    <>
      <div class="heading-row">
        <h2>Planned</h2>
        <nav class="parts" aria-label="Which faults">
          {parts.map(([value, label]) => (
            <a
              href={linkTo(shell, path, { over: value })}
              aria-current={value === (over || undefined) ? 'true' : undefined}
            >
              {label}
            </a>
          ))}
        </nav>
        {own.length === 0 ? null : <RemoveAll shell={shell} />}
      </div>
      {items.length === 0 ? <p class="faint">No such faults.</p> : <FaultTable shell={shell} items={items} />}
    </>
  )
}

function Nothing({ shell: { clientId } }: { shell: Shell }) {
  return (
    <Empty title={clientId === undefined ? 'Nothing is planned' : `Nothing is planned for ${clientId}`}>
      <p>
        Plan one above, then let your application make the call.
        {clientId === undefined ? null : (
          <>
            {' '}
            <a href={`/_emulator${path}`}>Show the faults of other clients too.</a>
          </>
        )}
      </p>
    </Empty>
  )
}

function RemoveAll({ shell }: { shell: Shell }) {
  const { clientId } = shell
  const whose = clientId === undefined ? 'of all clients' : `of ${clientId}`
  return (
    <Confirm id="confirm-remove-all" label="Remove all…">
      <p>Removes active and ended faults, whatever the list shows.</p>
      <Act
        shell={shell}
        id="remove-all"
        action={{ method: 'DELETE', path: '/faults', query: { clientId } }}
        label={`Remove all faults ${whose}`}
        look="danger"
      />
    </Confirm>
  )
}

function FaultTable({ shell, items }: { shell: Shell; items: readonly Fault[] }) {
  return (
    <table>
      <caption class="unseen">Planned faults, newest first</caption>
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">Applies to</th>
          <th scope="col">Hits</th>
          <th scope="col">Still</th>
          <th scope="col">Client</th>
          <th scope="col">
            <span class="unseen">Remove</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((each) => (
          <Row fault={each} shell={shell} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ fault, shell }: { fault: Fault; shell: Shell }) {
  const { id, hits, calls, until, over, clientId } = fault
  return (
    <tr id={id} class={over ? 'over' : undefined}>
      <td data-label="What">
        <div>
          <strong>{effectWords(fault)}</strong>
          <details id={`${id}-json`}>
            <summary class="faint" title={id}>
              Details
            </summary>
            <pre tabindex={0}>
              <code>{JSON.stringify(fault, null, 2)}</code>
            </pre>
          </details>
        </div>
      </td>
      <td data-label="Applies to">{targetWords(fault)}</td>
      <td data-label="Hits" class="number">
        <span>
          {hits} <span class="faint">of {calls} that match</span>
        </span>
      </td>
      <td data-label="Still">
        <span>
          <span class={`status ${over ? 'other' : 'waiting'}`}>{over ? 'over' : 'waits'}</span>{' '}
          {over ? null : limitWords(fault)}
          {until === null || over ? null : (
            <>
              , until <Moment at={until} />
            </>
          )}
        </span>
      </td>
      <td data-label="Client">{clientId ?? 'all'}</td>
      <td>
        <Act
          shell={shell}
          id={`remove-${id}`}
          action={{ method: 'DELETE', path: `/faults/${encodeURIComponent(id)}` }}
          label="Remove"
        />
      </td>
    </tr>
  )
}
