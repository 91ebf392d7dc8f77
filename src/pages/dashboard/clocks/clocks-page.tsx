import { dueClock } from '../../../control/shapes/due-clocks.ts'
import { pageOf } from '../../../control/shapes/page.ts'
import { paceWords } from '../clients/clients-page.tsx'
import { NobodyFound, SearchClients } from '../clients/search-clients.tsx'
import { Act } from '../form.tsx'
import { Moment, Paging } from '../parts.tsx'
import { deliveryPath, orderPath } from '../paths.ts'
import { fromNow } from '../span-words.ts'
import { type Asked, type DashboardPage, linkTo, type Shell } from '../view.ts'
import { ClockTools } from './clock-tools.tsx'
import type { DueClock } from './due-clock.ts'
import { Now } from './now.tsx'

const shownAtOnce = '25'

/** `/_emulator/ui/clocks`: every clock, what is due next on it, and the ways to move it. */
export const clocksPage: DashboardPage = {
  path: '/ui/clocks',
  show: async (asked) => {
    const { shell, query } = asked
    const { search, cursor } = query
    const { items, next } = await clocksOf(asked)
    return {
      title: shell.clientId === undefined ? 'Clocks' : `Clock of ${shell.clientId}`,
      topics: ['clock', 'order', 'delivery'],
      tools: (
        <>
          <ClockTools shell={shell} clock={shell.clock} />
          {shell.clientId === undefined ? <SearchClients shell={shell} search={search} /> : null}
        </>
      ),
      body:
        items.length === 0 ? (
          <NobodyFound shell={shell} search={search} path="/ui/clocks" />
        ) : (
          <>
            <ClockTable clocks={items} shell={shell} />
            <Paging
              first={cursor === undefined ? null : linkTo(shell, '/ui/clocks', { search })}
              next={next === null ? null : linkTo(shell, '/ui/clocks', { search, cursor: next })}
              words={['First page', 'More clocks']}
            />
          </>
        ),
    }
  },
}

function clocksOf({ api, shell: { clientId }, query: { cursor, search } }: Asked) {
  return api.get('/clocks', pageOf(dueClock), {
    ...{ clientId, cursor, limit: shownAtOnce, search: search || undefined },
  })
}

function ClockTable({ clocks, shell }: { clocks: readonly DueClock[]; shell: Shell }) {
  return (
    <table class="clocks">
      <thead>
        <tr>
          <th scope="col">Client</th>
          <th scope="col">Now</th>
          <th scope="col">Mode</th>
          <th scope="col">Due next</th>
          <th scope="col">
            <span class="unseen">Move on</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {clocks.map((clock) => (
          <ClockRow clock={clock} shell={shell} />
        ))}
      </tbody>
    </table>
  )
}

function ClockRow({ clock, shell }: { clock: DueClock; shell: Shell }) {
  const { clientId } = clock
  return (
    <tr id={`clock-${clientId}`}>
      <th scope="row">
        <a href={linkTo({ clientId }, '/ui/clocks')}>{clientId}</a>
      </th>
      <td data-label="Now">
        <Now clock={clock} />
      </td>
      <td data-label="Mode">{paceWords(clock)}</td>
      <td data-label="Due next">
        <NextDue clock={clock} shell={shell} />
      </td>
      <td class="acts">
        {clock.next === null ? null : (
          <Act
            shell={shell}
            id={`to-next-${clientId}`}
            action={{ method: 'POST', path: '/clock/advance-to-next', query: { clientId } }}
            label="To this time"
          />
        )}
      </td>
    </tr>
  )
}

function NextDue({ clock: { now, next }, shell }: { clock: DueClock; shell: Shell }) {
  if (next === null) return <span class="faint">nothing</span>
  const { dueAt, words, orderId, deliveryId, requestId } = next
  const path = deliveryId !== null ? deliveryPath(deliveryId) : orderId !== null ? orderPath(orderId) : null
  return (
    <div>
      {path === null ? words : <a href={linkTo(shell, path)}>{words}</a>}
      {requestId === null ? null : (
        <>
          {' '}
          of <span class="mono">{requestId}</span>
        </>
      )}
      <br />
      <Moment at={dueAt} /> <span class="faint">{fromNow(dueAt, now)}</span>
    </div>
  )
}
