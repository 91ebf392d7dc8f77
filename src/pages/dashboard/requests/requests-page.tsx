import * as z from 'zod'
import { pageOf } from '../../../control/shapes/common.ts'
import { journalEntry } from '../../../control/shapes/request.ts'
import { causeTable } from '../../../domain/diagnosis/causes.ts'
import { operations } from '../../../domain/journal/entry.ts'
import { journalKeeps } from '../../../journal/journal.ts'
import { orRefusal } from '../../framework/control-api.ts'
import { type Filter, Filters } from '../../framework/filters.tsx'
import { Empty, Moment, Paging, Short } from '../../framework/parts.tsx'
import { type Asked, type DashboardPage, linkTo, requestPath, type Shell } from '../../framework/view.ts'
import { Inline } from '../../reference/prose.tsx'

type Entry = z.output<typeof journalEntry>

/** The characters of a path shown in a list; the request's page shows all. */
const pathCharacters = 120

/** The characters of a cause's explanation in its tooltip. */
const wordsCharacters = 1_000

/** Requests as a list. */
function RequestTable({ shell, entries }: { shell: Shell; entries: readonly Entry[] }) {
  return (
    <table class="list requests in-lines">
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Request</th>
          <th scope="col">Status</th>
          <th scope="col">requestId</th>
          <th scope="col">Cause and notes</th>
          {shell.clientId === undefined ? <th scope="col">Client</th> : null}
        </tr>
      </thead>
      <tbody>
        {entries.map((entry, index) => (
          <Row shell={shell} entry={entry} after={entries[index - 1]} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ shell, entry, after }: { shell: Shell; entry: Entry; after: Entry | undefined }) {
  const { id, at, wallAt, method, path, operation, status, requestId, clientId } = entry
  const call = `${method} ${path.length > pathCharacters ? `${path.slice(0, pathCharacters).toWellFormed()}…` : path}`
  return (
    <tr id={`request-${id}`}>
      <td data-label="When">
        <Moment at={at} after={after?.at} wallAt={wallAt} />
      </td>
      <th scope="row" data-label="Request" title={operation === null ? call : `${operation}: ${call}`}>
        <a href={linkTo(shell, requestPath(id))}>{call}</a>
      </th>
      <td data-label="Status">
        <HttpStatus of={status} />
      </td>
      <td data-label="requestId">
        <Short text={requestId ?? ''} />
      </td>
      <td data-label="Cause, notes">
        <Why entry={entry} />
      </td>
      {shell.clientId === undefined ? (
        <td data-label="Client">
          <Short text={clientId ?? ''} />
        </td>
      ) : null}
    </tr>
  )
}

/** The cause of a refusal, and what else there is to say about a call. */
function Why({ entry: { diagnosis, notes } }: { entry: Entry }) {
  if (diagnosis === null && notes.length === 0) return <span class="faint">–</span>
  const words = [...(diagnosis === null ? [] : [diagnosis.message]), ...notes].join('; ')
  return (
    <span title={words.slice(0, wordsCharacters).toWellFormed()}>
      {diagnosis === null ? null : <strong class="cause">{diagnosis.cause}</strong>}{' '}
      <span class="faint">
        <Inline text={words} />
      </span>
    </span>
  )
}

/** Shows the HTTP status of an answer; 0 stands for no answer. */
export function HttpStatus({ of }: { of: number }) {
  const tone = of >= 200 && of < 300 ? 'good' : of === 0 ? 'waiting' : 'bad'
  return <span class={`status ${tone}`}>{of === 0 ? 'no answer' : of}</span>
}

const path = '/ui/requests'
const shownAtOnce = '50'
const journal = pageOf(journalEntry).extend({ pruned: z.int() })

/** `/_emulator/ui/requests`: calls of the service, newest first. */
export const requestsPage: DashboardPage = {
  path,
  show: async ({ api, shell, query }) => {
    const filters = filtersIn(query)
    const answer = await orRefusal(
      api.get('/requests', journal, {
        ...{
          ...filters,

          'diagnosis.cause': causeAsked(filters['diagnosis.cause']),
        },
        ...{ clientId: shell.clientId, cursor: query.cursor, order: 'newest', limit: shownAtOnce },
      }),
    )
    const view = {
      title: 'Requests',
      isLive: true,
      looksAt: 'requests' as const,
      tools: <Tools shell={shell} filters={filters} />,
    }
    if (typeof answer === 'string') return { ...view, body: <p class="empty wrong">{answer}</p> }
    const { items, next, pruned } = answer
    const body = (
      <>
        {items.length === 0 ? (
          <NoRequests shell={shell} isFiltered={Object.values(filters).some(Boolean)} />
        ) : (
          <RequestTable shell={shell} entries={items} />
        )}
        <Paging
          first={query.cursor === undefined ? null : linkTo(shell, path, filters)}
          next={next === null ? null : linkTo(shell, path, { ...filters, cursor: next })}
        />
        <p class="hint" id="pruned">
          {pruned === 0
            ? 'No request has been replaced yet.'
            : `${pruned.toLocaleString('en')} older ${pruned === 1 ? 'entry was' : 'entries were'} replaced by newer ones.`}{' '}
          The request log stores the newest {journalKeeps.all.toLocaleString('en')} requests, and{' '}
          {journalKeeps.each} of each client, whatever other clients do.
        </p>
      </>
    )
    return { ...view, body }
  },
}

type Filtered = ReturnType<typeof filtersIn>

const filtersIn = ({ search, status, operation, requestId, ...others }: Asked['query']) => ({
  ...{ search, status, operation, requestId, 'diagnosis.cause': others['diagnosis.cause'] },
})

/** Turns a typed cause into a filter for all causes that begin with it. */
function causeAsked(typed: string | undefined): string | undefined {
  if (!typed || typed.endsWith('*') || Object.hasOwn(causeTable, typed)) return typed
  return `${typed}*`
}

function Tools({ shell, filters }: { shell: Shell; filters: Filtered }) {
  const cause = filters['diagnosis.cause']
  const shown: readonly Filter[] = [
    {
      ...{ name: 'search', label: 'Search', value: filters.search, wide: true },
      placeholder: 'requestId, path, id',
    },
    {
      ...{ name: 'status', label: 'Status', value: filters.status },
      options: [
        { value: '2*', label: '2xx: done' },
        { value: '4*', label: '4xx: rejected' },
        { value: '5*', label: '5xx: failed' },
        { value: '0', label: 'not answered' },
      ],
    },
    { name: 'operation', label: 'Operation', value: filters.operation, options: operations },
    {
      ...{ name: 'diagnosis.cause', label: 'Cause', value: cause, placeholder: 'signature.' },
      suggestions: Object.keys(causeTable),
    },
    // The requestId is a filter that links from other pages set.
    ...[{ name: 'requestId', label: 'requestId', value: filters.requestId }].filter(({ value }) => value),
  ]
  const onlyRefused = cause === '*'
  return (
    <>
      <Filters shell={shell} path={path} filters={shown} />
      <div class="deeds">
        <a
          class="button"
          aria-current={onlyRefused ? 'true' : undefined}
          href={linkTo(shell, path, { ...filters, 'diagnosis.cause': onlyRefused ? undefined : '*' })}
        >
          {onlyRefused ? 'Show all' : 'Only rejected'}
        </a>
        <a href={linkTo(shell, '/ui/causes')}>All causes</a>
      </div>
    </>
  )
}

function NoRequests({ shell, isFiltered }: { shell: Shell; isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Empty title="No request matches">
        <p>
          <a href={linkTo(shell, path)}>Show all requests</a>
        </p>
      </Empty>
    )
  return (
    <Empty title="No requests yet">
      <p>
        Point your application at <code>{shell.origin}</code>. Each call to <code>/v1</code> appears here with
        its answer and, if it was rejected, with the cause.
      </p>
      <p>
        You find a first call on the <a href={linkTo(shell, '/ui/orders')}>orders’ page</a>, signed and ready
        to paste.
      </p>
    </Empty>
  )
}
