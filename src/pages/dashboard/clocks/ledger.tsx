import type { z } from 'zod'
import type { ledger as ledgerShape } from '../../../control/shapes/ledger.ts'
import { spanWords } from '../../../domain/text/duration.ts'
import { Moment, Status } from '../../framework/parts.tsx'
import { deliveryPath, linkTo, orderPath, type Shell } from '../../framework/view.ts'

type Ledger = z.output<typeof ledgerShape>

/** The maximum number of ledger lines that are shown. The JSON below them has all. */
const mostLines = 100

/** The table of events that an advance of clocks has caused. */
export function LedgerTable({ ledger, shell }: { ledger: Ledger; shell: Shell }) {
  const lines = linesOf(ledger)
  const left = lines.length - mostLines + lost(ledger)
  return (
    <div class="ledger">
      <p>{walkWords(ledger)}</p>
      {lines.length === 0 ? null : (
        <section
          class={`ledger-lines${isOfOneDay(lines) ? ' one-day' : ''}`}
          tabindex={0}
          aria-label="What happened"
        >
          <table>
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">requestId</th>
                <th scope="col">What</th>
                <th scope="col">Became</th>
              </tr>
            </thead>
            <tbody>
              {lines.slice(0, mostLines).map((line) => (
                <Line line={line} shell={shell} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {left > 0 ? (
        <p class="hint">And {left.toLocaleString('en')} more; the full answer lists them.</p>
      ) : null}
      <p>
        {ledger.nextDueAt === null ? (
          'Nothing else is due.'
        ) : (
          <>
            Next due: <Moment at={ledger.nextDueAt} />
          </>
        )}
      </p>
    </div>
  )
}

/** Whether all lines are of one day, so that times need no date. */
function isOfOneDay(lines: readonly { readonly at: number }[]): boolean {
  const days = new Set(lines.map(({ at }) => new Date(at).toISOString().slice(0, 10)))
  return days.size === 1
}

type LedgerLine = ReturnType<typeof linesOf>[number]

/** Merges status changes and webhooks by time. At the same time, a change comes before its webhook. */
function linesOf({ transitions, deliveries }: Ledger) {
  const changes = transitions.map((line) => ({
    ...{ at: line.at, requestId: line.requestId, path: orderPath(line.orderId) },
    ...{ what: `${line.what} was ${line.from}`, became: line.to, more: '' },
  }))
  const webhooks = deliveries.map((line) => ({
    ...{ at: line.at, requestId: line.requestId, path: deliveryPath(line.deliveryId) },
    what: `webhook ${line.orderStatus}${line.attempt > 1 ? `, attempt ${line.attempt}` : ''}`,
    ...{ became: line.outcome, more: line.status === null ? '' : String(line.status) },
  }))
  return [...changes, ...webhooks].toSorted((a, b) => a.at - b.at)
}

function Line({ line, shell }: { line: LedgerLine; shell: Shell }) {
  const { at, requestId, path, what, became, more } = line
  return (
    <tr>
      <td>
        <Moment at={at} />
      </td>
      <td>
        <a href={linkTo(shell, path)} class="mono">
          {requestId}
        </a>
      </td>
      <td>{what}</td>
      <td>
        <Status of={became} /> {more}
      </td>
    </tr>
  )
}

function walkWords({ from, now, clients = [], transitions, deliveries, truncated }: Ledger): string {
  const changes = counted(transitions.length + (truncated?.transitions ?? 0), 'change')
  const attempts = counted(deliveries.length + (truncated?.deliveries ?? 0), 'attempt')
  const failed = deliveries.filter(({ outcome }) => outcome !== 'accepted').length
  const what = `${changes} of a status, ${attempts} to send a webhook${failed === 0 ? '' : `, ${failed.toLocaleString('en')} failed`}.`
  const [first] = clients
  const start = from ?? first?.from
  const end = now ?? first?.now
  const span = start === undefined || end === undefined ? '' : spanWords(end - start)
  const whose = clients.length > 1 ? `${clients.length} clocks moved` : 'The clock moved'
  return end === start ? `The time did not move: ${what}` : `${whose} by ${span}: ${what}`
}

const counted = (count: number, word: string) =>
  `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`

const lost = ({ truncated }: Ledger): number => (truncated?.transitions ?? 0) + (truncated?.deliveries ?? 0)
