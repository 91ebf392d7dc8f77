import type { Child } from 'hono/jsx'
import type * as z from 'zod'
import { journalEntry } from '../../../control/shapes/request.ts'
import { exactUrl, headerOption, shellQuoted } from '../../../domain/text/shell.ts'
import { canBePasted, memberSource, withBody } from '../../framework/action.ts'
import { Act, Curl, Variables } from '../../framework/form.tsx'
import { BodyText, byteWords } from '../../framework/long-text.tsx'
import { Facts, HeaderTable, Moment } from '../../framework/parts.tsx'
import { clientPath, type DashboardPage, linkTo, type Shell } from '../../framework/view.ts'
import { DiagnosisCard } from './diagnosis-card.tsx'
import { HttpStatus } from './requests-page.tsx'

/** A request in the request log. */
interface StoredRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly diagnosis: { readonly stringToSign?: string | undefined } | null
}

/** Variables set by `status --env`, for masked values. */
const accessToken = '$PAYMENT_ORDER_ACCESS_TOKEN'
const apiSecret = '$PAYMENT_ORDER_API_SECRET'

/** A command that repeats a request; null if the log has only its beginning.
 *  @param source a command that prints the body, for one that cannot be pasted
 *  @param signed whether to sign it correctly instead of as sent */
function repeated(
  request: StoredRequest,
  { origin, source, signed = false }: { origin: string; source: string; signed?: boolean },
): string | null {
  const { method, path, headers, body, diagnosis } = request
  if (isCut(body) || isCut(path) || !path.startsWith('/')) return null
  const wanted = signed ? diagnosis?.stringToSign : undefined
  if (signed && (wanted === undefined || isCut(wanted) || !canBePasted(wanted))) return null
  const own = Object.entries(headers).filter(
    ([name, value]) =>
      !(curlSays.has(name) || name.startsWith('sec-') || (name === 'accept' && value === '*/*')),
  )
  const kept = wanted === undefined ? own : own.filter(([name]) => name !== 'signature')
  const options = [
    `curl -i -X ${/^[A-Z]+$/.test(method) ? method : shellQuoted(method)} ${exactUrl(`${origin}${path}`)}`,
    ...kept.map(keptHeader),
    ...(wanted === undefined ? [] : [`-H "signature: ${signatureOf(wanted)}"`]),
  ]
  return body === '' ? options.join(' \\\n  ') : withBody(options, body, source)
}

/** Headers that are left out of a `curl` command, because curl sends them itself or only browsers do. */
const curlSays = new Set([
  ...['accept-encoding', 'connection', 'content-length', 'expect', 'host', 'keep-alive'],
  ...['transfer-encoding', 'user-agent'],
])

const keptHeader = ([name, value]: readonly [string, string]): string =>
  isMasked(value) && name === 'access-token' ? `-H "${name}: ${accessToken}"` : headerOption(name, value)

const signatureOf = (text: string): string =>
  `$(printf %s ${shellQuoted(text)} | openssl dgst -sha256 -hmac "${apiSecret}" -binary | base64)`

/** Whether a text holds a masked secret. */
const isMasked = (text: string): boolean => /…\(\d+ characters\)/.test(text)

/** Whether the log has only the beginning of a text. */
const isCut = (text: string): boolean => /… \(\d+ characters in all\)$/.test(text)

type Entry = z.output<typeof journalEntry>

interface Shown {
  readonly shell: Shell
  readonly entry: Entry
  /** The path of the request in the control API. */
  readonly json: string
}

/** `/_emulator/ui/requests/{id}`: a request with its answer, and the reason if it was rejected. */
export const requestPage: DashboardPage = {
  path: '/ui/requests/:id',
  show: async ({ api, shell, param }) => {
    const path = `/requests/${encodeURIComponent(param('id'))}`
    const entry = await api.get(path, journalEntry, { clientId: shell.clientId })
    const shown = { shell, entry, json: `/_emulator${path}` }
    return {
      title: `Request ${[entry.operation ?? entry.method, entry.requestId].filter(Boolean).join(' of ')}`,
      body: (
        <>
          <DiagnosisCard shell={shell} entry={entry} />
          <section class="card summary" aria-label="Summary">
            <Facts rows={factsOf(shown)} />
          </section>
          <Notes notes={entry.notes} />
          <Exchange {...shown} />
          <Repeat {...shown} />
          {entry.operation === null ? null : <FailNext shell={shell} entry={entry} />}
        </>
      ),
    }
  },
}

function factsOf({ shell, entry, json }: Shown): readonly (readonly [string, Child])[] {
  const { id, at, wallAt, clientId, operation, requestId, status, ms } = entry
  const link = (path: string, query: Record<string, string>, words: string) => (
    <a href={linkTo(shell, path, query)}>{words}</a>
  )
  const ofRequest = requestId === null ? [] : [{ search: requestId }]
  return [
    ['Answered', <HttpStatus of={status} />],
    ['Took', `${ms} ms`],
    ['Operation', operation ?? 'none: unknown path, or unreadable request'],
    ['Client', clientId === null ? 'unknown' : link(clientPath(clientId), {}, clientId)],
    ['requestId', requestId ?? '–'],
    ...ofRequest.map(
      (query) =>
        [
          'See also',
          <>
            {link('/ui/orders', query, 'its orders')}, {link('/ui/deliveries', query, 'webhooks')},{' '}
            {link('/ui/requests', query, 'other requests')}
          </>,
        ] as const,
    ),
    ['Client’s clock', <Moment at={at} />],
    ['Wall', <Moment at={wallAt} />],
    ['Entry', <a href={json}>{id}</a>],
  ]
}

function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null
  return (
    <section class="notice waiting" aria-labelledby="notes">
      <h2 id="notes">Notes</h2>
      <ul>
        {notes.map((note) => (
          <li>{note}</li>
        ))}
      </ul>
    </section>
  )
}

function Exchange({ entry, json }: Shown) {
  const { method, path, headers, body, status, response } = entry
  const hasMasks = [path, body, response, ...Object.values(headers)].some(isMasked)
  return (
    <>
      <h2 id="request">Request</h2>
      <p class="mono">
        {method} {path}
      </p>
      {hasMasks ? (
        <p class="hint">Secrets are masked: only their first characters and their length are stored.</p>
      ) : null}
      <HeaderTable headers={headers} caption="Headers" />
      <h3>Body</h3>
      <Kept id="request-body" text={body} json={json} none="The body was empty." />
      <h2 id="answer">Answer</h2>
      <p>{status === 0 ? 'No answer was sent.' : `Status ${status}`}</p>
      <Kept id="answer-body" text={response} json={json} none="The body was empty." />
    </>
  )
}

/** Shows a body of the request log; of a long body only the beginning. */
function Kept({ id, text, json, none }: { id: string; text: string; json: string; none: string }) {
  if (text === '') return <p class="hint">{none}</p>
  return (
    <>
      <p class="hint">
        {isCut(text) ? 'The request log stores only the beginning of long bodies.' : byteWords(text)}
      </p>
      <BodyText id={id} text={text} whole={json} />
    </>
  )
}

function Repeat({ shell, entry, json }: Shown) {
  const { origin } = shell
  const source = memberSource(`${origin}${json}`, '.body', shell)
  const same = repeated(entry, { origin, source })
  const right = repeated(entry, { origin, source, signed: true })
  return (
    <>
      <h2 id="repeat">Make the call again</h2>
      {same === null ? (
        <p>The request log has only the beginning of the body, so there is no command for it.</p>
      ) : (
        <>
          {right === null ? null : <Curl id="repeat-right" text={right} name="the same, signed right" />}
          <Curl id="repeat-same" text={same} name="as it was" />
          {`${same}${right ?? ''}`.includes('$PAYMENT_ORDER_') ? (
            <Variables shell={shell} clientId={entry.clientId ?? 'demo-client'} />
          ) : null}
          {isMasked(`${entry.path}${entry.body}`) ? (
            <p class="hint">A secret in it is masked: insert the real value before you run it.</p>
          ) : null}
        </>
      )}
    </>
  )
}

function FailNext({ shell, entry: { operation, clientId, requestId } }: { shell: Shell; entry: Entry }) {
  const body = { on: operation, ...(clientId === null ? {} : { clientId }) }
  return (
    <>
      <h2 id="fail">Fail the next call like this</h2>
      <div class="columns">
        <Act
          shell={shell}
          id="fail-next"
          action={{ method: 'POST', path: '/faults', body }}
          label="Plan it"
          fields={[
            { type: 'number', name: 'effect.status', label: 'Answer with status', value: '503' },
            { type: 'number', name: 'times', label: 'How many times', value: '1' },
            {
              ...{
                type: 'text',
                name: 'where.requestId',
                label: 'Only for requestId',
                placeholder: 'every requestId',
              },
            },
          ]}
        />
      </div>
      <p>
        <a
          href={linkTo(shell, '/ui/faults', {
            ...{ plan: 'status', on: operation ?? undefined, requestId: requestId ?? undefined },
            ...(clientId === null ? {} : { clientId }),
          })}
        >
          Other faults: late, hanging, cut, reset
        </a>
      </p>
    </>
  )
}
