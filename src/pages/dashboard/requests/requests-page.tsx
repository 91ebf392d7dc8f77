import * as z from 'zod'
import { pageOf } from '../../../control/shapes/page.ts'
import { journalEntry } from '../../../control/shapes/request.ts'
import { causeTable } from '../../../domain/diagnosis/causes.ts'
import { operations } from '../../../domain/journal-entry.ts'
import { journalKeeps } from '../../../journal/journal.ts'
import { orRefusal } from '../control-api.ts'
import { type Filter, Filters } from '../filters.tsx'
import { Empty, Paging } from '../parts.tsx'
import { type Asked, type DashboardPage, linkTo, type Shell } from '../view.ts'
import { RequestTable } from './request-table.tsx'

const path = '/ui/requests'
const shownAtOnce = '50'
const journal = pageOf(journalEntry).extend({ pruned: z.int() })

/** `/_emulator/ui/requests`: what applications have asked the service, newest first. */
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
      topics: ['request'] as const,
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

/** What somebody types is the beginning of a cause. */
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
    // Links from elsewhere narrow the list by it.
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
        You find a first call on the <a href={linkTo(shell, '/')}>orders’ page</a>, signed and ready to paste.
      </p>
    </Empty>
  )
}
