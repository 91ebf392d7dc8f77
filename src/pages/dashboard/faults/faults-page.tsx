import type { z } from 'zod'
import { fault as faultShape } from '../../../control/shapes/fault.ts'
import { pageOf } from '../../../control/shapes/page.ts'
import { Act } from '../form.tsx'
import { Empty, Moment, Paging } from '../parts.tsx'
import { type DashboardPage, linkTo, type Shell } from '../view.ts'
import { FaultForm } from './fault-form.tsx'
import { effectWords, limitWords, targetWords } from './fault-words.ts'

type Fault = z.output<typeof faultShape>

const path = '/ui/faults'
const shownAtOnce = '50'

/** `/_emulator/ui/faults`: what is planned to go wrong, how often it has, and a form for more. */
export const faultsPage: DashboardPage = {
  path,
  show: async ({ api, shell, query }) => {
    const { items, next } = await api.get('/faults', pageOf(faultShape), {
      order: 'newest',
      limit: shownAtOnce,
      clientId: shell.clientId,
      over: query.over || undefined,
      cursor: query.cursor,
    })
    return {
      title: 'Faults',
      topics: ['request', 'delivery'],
      tools: (
        <>
          <p class="lead">
            Have a call fail or a webhook go astray, now, without a scenario. Each fault ends by itself.
          </p>
          <FaultForm
            shell={shell}
            kind={query.plan}
            about={{ on: query.on, requestId: query.requestId }}
            isOpen={(items.length === 0 && !query.over) || query.plan !== undefined}
          />
        </>
      ),
      body: (
        <>
          <List items={items} shell={shell} over={query.over} />
          <Paging
            first={query.cursor === undefined ? null : linkTo(shell, path, { over: query.over })}
            next={next === null ? null : linkTo(shell, path, { over: query.over, cursor: next })}
          />
        </>
      ),
    }
  },
}

const parts = [
  [undefined, 'All'],
  ['false', 'Still waiting'],
  ['true', 'Over'],
] as const

function List({ items, shell, over }: { items: readonly Fault[]; shell: Shell; over: string | undefined }) {
  if (items.length === 0 && !over)
    return (
      <Empty
        title={
          shell.clientId === undefined ? 'Nothing is planned' : `Nothing is planned for ${shell.clientId}`
        }
      >
        <p>
          Plan one above, then let your application make the call.
          {shell.clientId === undefined ? null : (
            <>
              {' '}
              <a href={`/_emulator${path}`}>Show the faults of all clients too.</a>
            </>
          )}
        </p>
      </Empty>
    )
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
        <Act
          shell={shell}
          id="remove-all"
          action={{ method: 'DELETE', path: '/faults', query: { clientId: shell.clientId } }}
          label="Remove all"
          look="danger"
        />
      </div>
      {items.length === 0 ? <p class="faint">None of these.</p> : null}
      <table hidden={items.length === 0}>
        <caption class="unseen">Planned faults, the newest first</caption>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Done to</th>
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
    </>
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
      <td data-label="Done to">{targetWords(fault)}</td>
      <td data-label="Hits" class="number">
        <span>
          {hits} <span class="faint">of {calls} that fit</span>
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
