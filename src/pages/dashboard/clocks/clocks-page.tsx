import { dueClock } from '../../../control/shapes/clocks.ts'
import { pageOf } from '../../../control/shapes/common.ts'
import { fromNow } from '../../../domain/text/duration.ts'
import { Act } from '../../framework/form.tsx'
import { Moment, Paging } from '../../framework/parts.tsx'
import {
  type Asked,
  type DashboardPage,
  type DueClock,
  linkTo,
  pathOfNext,
  type Shell,
} from '../../framework/view.ts'
import { NoUserFound, SearchClients } from '../clients/clients-page.tsx'
import { NextEvent, Now, onlyClock, paceWords } from './clock-bar.tsx'

/** Beside those in the bar. */
const steps = [
  ['10s', '10 seconds'],
  ['10m', '10 minutes'],
  ['P7D', '1 week'],
] as const

interface Parts {
  readonly shell: Shell
  /** The clock that the page shows; null for all clocks. */
  readonly clock: DueClock | null
}

/** The forms that advance time, for one client or for all. */
function ClockTools({ shell, clock }: Parts) {
  const query = scopeOf(shell, clock)
  const { clientId } = query
  const whose = clientId ?? 'all clients'
  return (
    <section class="card clock-tools" aria-labelledby="move">
      <h2 id="move">Move time forward for {whose}</h2>
      <p class="hint">
        All events that fall due in between happen, webhooks included, before the page reloads. This works in
        every clock mode.
      </p>
      <ul class="act-row bare" aria-label="By a fixed duration">
        {(clientId === undefined ? steps : [...steps, ['P1M', '1 month'] as const]).map(([by, words]) => (
          <li>
            <Act
              shell={shell}
              id={`advance-${by}`}
              action={{ method: 'POST', path: '/clock/advance', query, body: { by } }}
              label={`+ ${words}`}
            />
          </li>
        ))}
      </ul>
      <details class="folded" id="more-clock" open={wasRefused(shell)}>
        <summary>More: another duration, a point in time, until nothing is due, clock mode</summary>
        <OtherMoves shell={shell} clock={clock} />
      </details>
    </section>
  )
}

/** Advances until nothing is due, with a limit: an uncancelled subscription is charged for ever. */
function UntilIdle({ shell, clock }: Parts) {
  return (
    <Act
      shell={shell}
      id="run-until-idle"
      action={{ method: 'POST', path: '/clock/run-until-idle', query: scopeOf(shell, clock) }}
      label="Until nothing is due"
      fields={[
        {
          type: 'number',
          name: 'limit',
          label: 'Due times, at most',
          value: '100',
          hint: 'A limit is needed because a subscription is charged until it is cancelled.',
          required: true,
        },
      ]}
    />
  )
}

function OtherMoves(parts: Parts) {
  return (
    <div class="columns">
      <AdvanceBy {...parts} />
      <AdvanceTo {...parts} />
      <UntilIdle {...parts} />
      <SetMode {...parts} />
    </div>
  )
}

function AdvanceBy({ shell, clock }: Parts) {
  return (
    <Act
      shell={shell}
      id="advance-by"
      action={{ method: 'POST', path: '/clock/advance', query: scopeOf(shell, clock) }}
      label="Move forward by this duration"
      fields={[
        {
          type: 'text',
          name: 'by',
          label: 'Duration',
          placeholder: '90m',
          hint: '250ms, 2s, 15m, 26h, 30d, 1h30m, or ISO 8601: PT15M, P1M.',
          required: true,
        },
      ]}
    />
  )
}

function AdvanceTo({ shell, clock }: Parts) {
  return (
    <Act
      shell={shell}
      id="advance-to"
      action={{ method: 'POST', path: '/clock/advance', query: scopeOf(shell, clock) }}
      label="Move forward to this time"
      fields={[
        {
          type: 'text',
          name: 'to',
          label: 'Time',
          placeholder: clock === null ? '2027-01-01T00:00:00Z' : new Date(clock.now).toISOString(),
          hint: 'With its UTC offset: 2026-04-21T16:12:09Z. A clock never goes back.',
          required: true,
        },
      ]}
    />
  )
}

/** Sets the mode of a clock; without a selected client also for new ones. */
function SetMode({ shell, clock }: Parts) {
  return (
    <Act
      shell={shell}
      id="set-clock"
      action={{ method: 'PUT', path: '/clock', query: { clientId: shell.clientId } }}
      label="Set the mode"
      fields={[
        {
          type: 'text',
          name: 'mode',
          label: 'Mode',
          value: clock?.mode,
          options: [
            ...(clock === null ? [{ value: '', label: 'unchanged' }] : []),
            { value: 'real', label: 'real: runs on its own' },
            { value: 'manual', label: 'manual: stopped until it is moved' },
          ],
        },
        {
          type: 'number',
          name: 'speed',
          label: 'Speed of a real clock',
          placeholder: '1',
          hint: 'Clock seconds per real second: with 60, an hour takes a minute.',
        },
      ]}
    >
      {shell.clientId === undefined ? <p class="hint">New clients get this mode too.</p> : null}
    </Act>
  )
}

/** The client whose clock moves: the selected one, or the only one. */
const scopeOf = ({ clientId }: Shell, clock: DueClock | null) => ({ clientId: clientId ?? clock?.clientId })

/** Whether the form was just rejected, and is to be corrected. */
function wasRefused({ note }: Shell): boolean {
  if (note === null || (note.status !== null && note.status < 400)) return false
  return note.fields.some(
    ([name, value]) => /^(text:(by|to|mode)|number:(speed|limit))$/.test(name) && value !== '',
  )
}

const shownAtOnce = '25'

/** `/_emulator/ui/clocks`: every clock with its next due time, and the forms that move it. */
export const clocksPage: DashboardPage = {
  path: '/ui/clocks',
  show: async (asked) => {
    const { shell, query } = asked
    const { search, cursor } = query
    const { items, next } = await clocksOf(asked)
    return {
      title: shell.clientId === undefined ? 'Clocks' : `Clock of ${shell.clientId}`,
      isLive: true,
      tools: (
        <>
          <ClockTools shell={shell} clock={onlyClock(shell.clocksInSight)} />
          {shell.clientId === undefined ? <SearchClients shell={shell} search={search} /> : null}
        </>
      ),
      body:
        items.length === 0 ? (
          <NoUserFound shell={shell} search={search} path="/ui/clocks" />
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
          <NextEvent shell={shell} id={`to-next-${clientId}`} clocks={[clock]} clientId={clientId} />
        )}
      </td>
    </tr>
  )
}

function NextDue({ clock: { now, next }, shell }: { clock: DueClock; shell: Shell }) {
  if (next === null) return <span class="faint">nothing</span>
  const { dueAt, words, requestId } = next
  const path = pathOfNext(next)
  return (
    <div>
      {path === undefined ? words : <a href={linkTo(shell, path)}>{words}</a>}
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
