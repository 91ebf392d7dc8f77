import type { z } from 'zod'
import type { journalEntry } from '../../../control/shapes/request.ts'
import { Inline } from '../../reference/prose.tsx'
import { Moment, Short } from '../parts.tsx'
import { requestPath } from '../paths.ts'
import { linkTo, type Shell } from '../view.ts'
import { HttpStatus } from './http-status.tsx'

type Entry = z.output<typeof journalEntry>

/** Of a path, so many characters are shown in a list; all of it is on the request's page. */
const pathCharacters = 120

/** A client's clock that is no further from the wall's than that goes with it. */
const sameMs = 2_000

/** Requests as a list. */
export function RequestTable({ shell, entries }: { shell: Shell; entries: readonly Entry[] }) {
  return (
    <table class="list requests">
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
        {entries.map((entry) => (
          <Row shell={shell} entry={entry} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ shell, entry }: { shell: Shell; entry: Entry }) {
  const { id, at, wallAt, method, path, operation, status, requestId, clientId, diagnosis, notes } = entry
  const isLong = path.length > pathCharacters
  return (
    <tr id={`request-${id}`}>
      <td data-label="When">
        <span>
          <Moment at={at} />
          {Math.abs(wallAt - at) < sameMs ? null : (
            <span class="under">
              wall-clock time <Moment at={wallAt} />
            </span>
          )}
        </span>
      </td>
      <th scope="row" data-label="Request">
        <span>
          <a href={linkTo(shell, requestPath(id))}>
            {operation ?? `${method} ${isLong ? `${path.slice(0, pathCharacters).toWellFormed()}…` : path}`}
          </a>
          {operation === null ? null : (
            <span class="under">
              {method} {isLong ? `${path.slice(0, pathCharacters).toWellFormed()}…` : path}
            </span>
          )}
        </span>
      </th>
      <td data-label="Status">
        <HttpStatus of={status} />
      </td>
      <td data-label="requestId">
        <Short text={requestId ?? ''} />
      </td>
      <td data-label="Why">
        {diagnosis === null && notes.length === 0 ? <span class="faint">–</span> : null}
        <span>
          {diagnosis === null ? null : (
            <>
              <strong class="cause">{diagnosis.cause}</strong>
              <span class="under">
                <Inline text={diagnosis.message} />
              </span>
            </>
          )}
          {notes.map((note) => (
            <span class="under">{note}</span>
          ))}
        </span>
      </td>
      {shell.clientId === undefined ? (
        <td data-label="Client">
          <Short text={clientId ?? ''} />
        </td>
      ) : null}
    </tr>
  )
}
